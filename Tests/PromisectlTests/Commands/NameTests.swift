import PromisedProtocol
import Testing

@testable import promisectl

@Suite("Users by name", .timeLimit(.minutes(1)))
struct NameTests {
    @Test func `rejects an unknown name with suggestions`() async {
        let run = await Run(["user", "show", "adda"]) { _ in
            .success(.users(.sample([], suggestions: ["ada", "adam"])))
        }
        #expect(run.status == .refused)
        #expect(run.errors == "promisectl: no user has the id, nickname or e-mail adda; did you mean ada, adam?\n")
    }

    @Test func `rejects an unknown name without suggestions`() async {
        let run = await Run(["user", "show", "x\u{1B}[2J"]) { _ in .success(.users(.sample([]))) }
        #expect(run.errors == "promisectl: no user has the id, nickname or e-mail x\u{FFFD}[2J\n")
    }

    @Test func `rejects an ambiguous name with the ids`() async {
        let run = await Run(["user", "show", "ada"]) { _ in .success(.users(.sample(["ada", "Ada2"]))) }
        #expect(run.status == .refused)
        let ids = "id-of-ada (ada), id-of-Ada2 (Ada2)"
        #expect(run.errors == "promisectl: ada is ambiguous; use an id: \(ids)\n")
    }

    @Test func `resolves a name to the id`() async {
        let administration = StubAdministration { request in
            if case .findUsers = request { return .success(.users(.sample(["ada"]))) }
            return .success(.user(.sample("ada")))
        }
        let run = await Run(["user", "show", "ADA"], StubConnector(administration: administration))
        #expect(run.status == .done)
        guard case .showUser(let request) = administration.requests.last else {
            Issue.record("not asked")
            return
        }
        #expect(request.userID == "id-of-ada")
    }
}
