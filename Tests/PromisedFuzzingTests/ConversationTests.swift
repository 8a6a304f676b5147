import Foundation
import PromisedFuzzing
import PromisedTestSupport
import Testing

/// Starts the built `promise-fuzz`: its worlds take over all tasks of their process.
@Suite(.tags(.realTime)) struct ConversationTests {
    private static let program = BuiltProgram("promise-fuzz", environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])

    @Test(.timeLimit(.minutes(5)), arguments: FuzzTarget.all.filter(\.needsOwnProcess).map(\.name))
    func `a target's property holds for its corpus in a separate process`(name: String) async throws {
        let corpus = BuiltProgram.repository.appending(path: "Tests/Fuzz/Corpus/\(name).txt")
        let (code, output) = try await Self.program.run(name, "--corpus", corpus.path)
        #expect(code == 0, "\(output.suffix(4_000))")
        #expect(output.contains("inputs, 0 violations"))
    }

    @Test func `without libFuzzer the program explains how to install it`() async throws {
        let (code, output) = try await Self.program.run("cursors")
        #expect(code == 1)
        #expect(output.contains("scripts/torture fuzz"))
    }
}
