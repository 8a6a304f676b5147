import Foundation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite(.serialized, .tags(.alone)) struct SimulationTests {
    @Test(.proves("18.1-18.36")) func `two thousand stories keep every invariant`() async throws {
        // Two halves, to use both processors of a small machine.
        async let first = Simulator.program.run("--seeds", "1000", "--from", "1")
        async let second = Simulator.program.run("--seeds", "1000", "--from", "1001")
        for (code, output) in try await [first, second] { #expect(code == 0, "\(output.suffix(8_000))") }
    }

    @Test func `equal seeds give equal journals, byte for byte`() async throws {
        async let first = Simulator.program.run("--seeds", "20", "--from", "5001", "--digests", "--journal")
        async let second = Simulator.program.run("--seeds", "20", "--from", "5001", "--digests", "--journal")
        let (one, other) = try await (first.output.withoutDuration, second.output.withoutDuration)
        #expect(one.count > 10_000)
        #expect(one == other)
    }

    @Test func `stories that once violated an invariant keep all of them`() async throws {
        for story in try Simulator.keptStories() {
            let (code, output) = try await Simulator.program.run("--story", story.path)
            #expect(code == 0, "\(story.lastPathComponent): \(output.suffix(2_000))")
        }
    }
}

extension String {
    /// All lines but the last, which has the duration.
    fileprivate var withoutDuration: [Substring] { split(separator: "\n").dropLast() }
}
