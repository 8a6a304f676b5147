import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedEngine

/// On which thread a session lives.
@Suite struct SessionLanesTests {
    @Test(arguments: 1...8) func `sessions that report together spread over all threads`(count: Int) {
        let executors = (0..<count).map { _ in QueueExecutor() }
        let lanes = SessionLanes(delay: .milliseconds(250), executors: executors)
        var generator = SeededGenerator(seed: 11)
        var shares: [TimeSpan: [ObjectIdentifier: Int]] = [:]
        for _ in 0..<40_000 {
            let id = PromiseID(at: .meeting, using: &generator)
            let slot = ReportingSlot(of: id, interval: .seconds(5))
            shares[slot.offset, default: [:]][ObjectIdentifier(lanes[id]), default: 0] += 1
        }
        #expect(shares.count == Int(ReportingSlot.steps))
        for share in shares.values {
            let sessions = share.values.reduce(0, +)
            #expect(share.count == count)
            #expect(share.values.allSatisfy { $0 * count * 2 > sessions }, "each has at least half of its part")
        }
    }
}
