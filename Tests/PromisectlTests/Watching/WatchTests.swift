import PromisedClient
import PromisedProtocol
import Testing

@testable import promisectl

@Suite("A watch", .timeLimit(.minutes(1)))
struct WatchTests {
    /// Answers requests for the snapshot and for the result.
    private func administration(_ reply: WireSubscribed) -> StubAdministration {
        StubAdministration { request in
            switch request {
            case .watchPromise: .success(.watching(reply))
            case .getResult: .success(.result(WireResult()))
            default: .failure(.refused("no such form"))
            }
        }
    }

    private func run(
        _ administration: StubAdministration,
        _ console: StubConsole = StubConsole(),
        _ options: String...
    ) async -> Run {
        await Run(
            ["promise", "watch", "01932a4e-0000-7000-8000-00000000000a"] + options,
            StubConnector(administration: administration),
            console
        )
    }

    @Test func `prints plain lines without a terminal and ends with the result`() async throws {
        let administration = administration(try .sample())
        administration.noticing.yield(.event(try .positions([("ada", 85), ("bob", 1_250)])))
        administration.noticing.yield(.event(try .arrived("ada", rank: 1, seq: 11)))
        administration.noticing.yield(.event(try .final(seq: 12)))
        let run = await run(administration)
        #expect(run.status == .done)
        #expect(administration.isClosed)
        try Golden.expect(run.output, matches: "watch-lines.txt")
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func `ignores events of another promise`() async throws {
        let administration = administration(try .sample())
        var other = try WireEvent.final(seq: 11)
        other.promiseID = "another"
        administration.noticing.yield(.event(other))
        administration.noticing.yield(.disconnected(code: 4_500, willReconnect: false))
        #expect(await run(administration).status == .notPermitted)
    }

    @Test(arguments: [promisectl.ExitStatus.interrupted, .terminated])
    func `ends at a signal and restores the cursor`(signal: promisectl.ExitStatus) async throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        console.interrupt(signal)
        let administration = administration(try .sample())
        let run = await run(administration, console)
        #expect(run.status == signal)
        #expect(run.output.contains("\u{1B}[?25l"))
        #expect(run.output.hasSuffix("\u{1B}[?25h"))
        #expect(administration.isClosed)
    }

    @Test func `restores the cursor when the connection is lost`() async throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        let administration = administration(try .sample())
        administration.noticing.finish()
        let run = await run(administration, console)
        #expect(run.status == .unreachable)
        #expect(run.output.hasSuffix("\u{1B}[?25h"))
    }

    @Test func `resumes after a lost connection with a new snapshot`() async throws {
        let administration = administration(try .sample())
        administration.noticing.yield(.disconnected(code: 1_006, willReconnect: true))
        administration.noticing.yield(.connected)
        administration.noticing.yield(.event(try .final(seq: 11)))
        let run = await run(administration, StubConsole(), "--jsonl")
        #expect(run.status == .done)
        #expect(run.errors == "promisectl: the connection was lost (1006); reconnecting\n")
        let frames = run.output.split(separator: "\n").map { $0.prefix(12) }
        #expect(frames == [#"{"subscribed"#, #"{"subscribed"#, #"{"event":{"p"#])
    }

    @Test func `watching a finished promise ends at once with its result`() async throws {
        var reply = try WireSubscribed.sample()
        reply.snapshot.status = .final
        let run = await run(administration(reply), StubConsole(), "--json")
        #expect(run.status == .done)
        #expect(run.output.hasPrefix(#"{"promise":{"promiseId":"01932a4e-0000-7000-8000-00000000000a""#))
        #expect(run.output.contains(#""result":{}"#))
    }

    @Test func `of an unknown promise is rejected`() async {
        let run = await run(StubAdministration { _ in .failure(.refused("not found")) })
        #expect(run.status == .refused)
        #expect(run.output.isEmpty)
    }
}
