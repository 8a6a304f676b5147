import PromisedProtocol
import Testing

@testable import promisectl

@Suite("Lists of many pages", .timeLimit(.minutes(1)))
struct PageTests {
    /// A server with 120 users, 50 a page at most; the cursor is where the next page begins.
    private static let answer: StubAdministration.Answer = { request in
        guard case .listUsers(let request) = request else { return .failure(.refused("no such form")) }
        let start = Int(request.cursor) ?? 0
        let end = min(start + Int(min(request.limit, 50)), 120)
        var page = WireAdminUsers.sample((start..<end).map { "user\($0)" })
        page.cursor = end < 120 ? "\(end)" : ""
        return .success(.users(page))
    }

    @Test(arguments: [(nil, 120, 3), (50, 50, 1), (51, 51, 2), (120, 120, 3), (500, 120, 3), (1, 1, 1)])
    func `are one list of the requested length`(limit: Int?, count: Int, requests: Int) async {
        let administration = StubAdministration(Self.answer)
        let options = limit.map { ["--limit", "\($0)"] } ?? []
        let run = await Run(["user", "list", "--jsonl"] + options, StubConnector(administration: administration))
        #expect(run.output.split(separator: "\n").count == count)
        #expect(administration.requests.count == requests)
    }

    @Test func `the document of a list has no cursor`() async {
        let run = await Run(["user", "list", "--json", "--limit", "1"], answer: Self.answer)
        #expect(!run.output.contains("cursor"))
    }
}
