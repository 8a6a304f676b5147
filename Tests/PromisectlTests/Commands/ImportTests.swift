import Foundation
import PromisedProtocol
import PromisedTestMarks
import Testing

@testable import promisectl

@Suite("Importing accounts", .timeLimit(.minutes(1)))
struct ImportTests {
    private static let lines = [
        "nickname,email,password", "ada,a@b.c,secret12", "bad,b@b.c,secret12", "eve,e@b.c,secret12",
    ]

    /// Refuses the nickname `bad` at the check, and `late` only afterwards.
    private static let answer: StubAdministration.Answer = { request in
        guard case .createUser(let request) = request else { return .failure(.refused("no such form")) }
        let isBad = request.nickname == "bad" || (request.nickname == "late" && !request.checkOnly)
        return isBad ? .failure(.refused("taken")) : .success(.user(WireAdminUser()))
    }

    private func made(_ administration: StubAdministration) -> [String] {
        administration.requests.compactMap { request in
            guard case .createUser(let request) = request, !request.checkOnly else { return nil }
            return request.nickname
        }
    }

    private func run(_ lines: [String], _ options: String...) async -> (run: Run, made: [String]) {
        let administration = StubAdministration(Self.answer)
        let connector = StubConnector(administration: administration)
        let run = await Run(["user", "import", "-"] + options, connector, StubConsole(input: lines))
        return (run, made(administration))
    }

    @Test func `imports nothing with one invalid row`() async {
        let (run, made) = await run(Self.lines)
        #expect(run.status == .refused)
        #expect(made.isEmpty)
        #expect(
            run.output
                == "LINE  PROBLEM\n   3  taken\n\n0 users imported, 1 invalid row; --skip-bad imports the others\n"
        )
    }

    @Test func `imports the valid rows with --skip-bad`() async {
        let (run, made) = await run(Self.lines, "--skip-bad", "--json")
        #expect(run.status == .done)
        #expect(made == ["ada", "eve"])
        #expect(run.output == #"{"bad":[{"line":3,"problem":"taken"}],"imported":2}"# + "\n")
    }

    @Test(.proves("12.12")) func `fails without a valid row`() async {
        let (run, _) = await run([Self.lines[0], Self.lines[2]], "--skip-bad")
        #expect(run.status == .refused && run.output.hasSuffix("0 users imported, 1 invalid row\n"))
        let empty = await self.run([Self.lines[0]]).run
        #expect(empty.status == .usage && empty.errors.contains("standard input: the file has a header and no rows"))
    }

    @Test func `an error of the file has its path`() async throws {
        for (text, reason) in [
            ("nickname;email;password\n", "the header has no column nickname"),
            ("nickname,email,password\n\"a,b,c\n", "line 3: a quoted field is not closed"),
        ] {
            let file = try SampleFile(text, name: "people.csv")
            let run = await Run(["user", "import", file.path], StubConsole(), answer: Self.answer)
            #expect(run.status == .usage && run.errors.contains("\(file.path): \(reason)"), "\(run.errors)")
        }
    }

    @Test func `reports a row rejected after its check`() async {
        let (run, made) = await run([Self.lines[0], "late,l@b.c,secret12", Self.lines[1]], "--jsonl")
        #expect(run.status == .refused)
        #expect(made == ["late", "ada"])
        #expect(run.output == #"{"line":2,"problem":"taken"}"# + "\n")
    }

    @Test func `--check imports nothing`() async {
        let (run, made) = await run([Self.lines[0], Self.lines[1]], "--check")
        #expect(run.status == .done)
        #expect(made.isEmpty)
        #expect(run.output == "1 user can be imported\n")
    }

    @Test func `ends when the connection is lost`() async {
        let run = await Run(["user", "import", "-"], StubConsole(input: Self.lines)) { _ in
            .failure(.unreachable("lost"))
        }
        #expect(run.status == .unreachable)
    }

    @Test func `reads a file with its byte order mark and quotes`() async throws {
        let path = NSTemporaryDirectory() + "promisectl-import-" + UUID().uuidString
        let text = "\u{FEFF}\"nickname\",\"email\",\"password\"\r\nada,a@b.c,\"se\"\"cret,1\"\r\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer {
            // A temporary file: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: path)
        }
        let administration = StubAdministration(Self.answer)
        let run = await Run(["user", "import", path], StubConnector(administration: administration))
        #expect(run.output == "1 user imported\n")
        guard case .createUser(let request) = administration.requests.last else {
            Issue.record("not asked")
            return
        }
        #expect(request.password == "se\"cret,1")
    }
}
