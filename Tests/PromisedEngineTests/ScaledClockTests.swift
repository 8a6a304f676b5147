import PromisedDomain
import PromisedEngine
import Testing

@Suite("The scaled clock", .tags(.realTime), .timeLimit(.minutes(1)))
struct ScaledClockTests {
    @Test func `starts at the given instant and runs at the given rate`() async throws {
        let clock = ScaledClock(start: .init(milliseconds: 1_000_000), rate: 1_000)
        let real = ContinuousClock.now
        try await clock.sleep(until: Instant(milliseconds: 1_060_000))
        let passed = ContinuousClock.now - real
        #expect(clock.now >= Instant(milliseconds: 1_060_000))
        #expect(passed >= .milliseconds(59))
    }

    @Test func `does not wait for a past instant`() async throws {
        let clock = ScaledClock(start: .init(milliseconds: 1_000_000))
        try await clock.sleep(until: Instant(milliseconds: 0))
    }

    @Test func `is monotonic`() {
        let clock = ScaledClock(start: .init(milliseconds: 0), rate: 600)
        var last = clock.now
        for _ in 0..<10_000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }
}
