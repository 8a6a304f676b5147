import Foundation
import Testing

@testable import PromisedClient

@Suite struct ServerClockEstimateTests {
    private let origin = ContinuousClock.now
    private let shown = Date(timeIntervalSince1970: 1_795_251_600)

    /// An exchange that began `sent` after the origin, when the server's clock had advanced by `moved` milliseconds.
    private func exchange(sent: Duration, length: Duration = .milliseconds(10), moved: Int64) -> ClockExchange {
        ClockExchange(
            sent: origin + sent,
            answered: origin + sent + length,
            shown: shown + Double(moved) / 1_000
        )
    }

    @Test(
        arguments: [
            // Within one percent of a whole number: the number.
            (500, 1.0), (503, 1.0), (497, 1.0), (5_000, 10.0), (5_040, 10.0), (30_000, 60.0), (29_800, 60.0),
            // Beyond: as measured.
            (510, 1.02), (490, 0.98), (5_100, 10.2), (250, 0.5), (750, 1.5),
            // A stopped clock or one that runs backwards has a small positive rate.
            (0, 0.001), (-500, 0.001),
        ] as [(Int64, Double)]
    )
    func `the rate is measured over half a second`(_ moved: Int64, _ rate: Double) {
        let estimate = ServerClockEstimate(exchange(sent: .zero, moved: 0), exchange(sent: .seconds(0.5), moved: moved))
        // A current date has a resolution of a tenth of a microsecond.
        #expect(abs(estimate.rate - rate) < 1e-6)
    }

    @Test(arguments: [(10, 30), (30, 10)])
    func `the shorter exchange determines the estimate`(_ first: Int, _ second: Int) {
        let one = exchange(sent: .zero, length: .milliseconds(first), moved: 0)
        // Halfway through the second exchange, half a second after halfway through the first; its clock is off by 4 ms.
        let start = Duration.milliseconds(500) + .milliseconds(first) / 2 - .milliseconds(second) / 2
        let two = exchange(sent: start, length: .milliseconds(second), moved: 504)
        let estimate = ServerClockEstimate(one, two)
        #expect(estimate.rate == 1)
        let middle = origin + .milliseconds(first) / 2
        let expected = first < second ? shown : shown + 0.004
        #expect(abs(estimate.instant(at: middle).timeIntervalSince(expected)) < 1e-6)
    }

    @Test(arguments: [(1, 1_000, 1_000), (60, 1_000, 60_000), (60, -1_000, -60_000), (0.5, 3_000, 1_500), (1, 0, 0)])
    func `instants follow the rate, before and after`(_ rate: Double, _ later: Int, _ moved: Int64) {
        let estimate = ServerClockEstimate(shown: shown, at: origin, rate: rate)
        let instant = estimate.instant(at: origin + .milliseconds(later))
        #expect(abs(instant.timeIntervalSince(shown) - Double(moved) / 1_000) < 1e-6)
    }

    @Test func `now is between the instants before and after the call`() {
        let estimate = ServerClockEstimate(shown: shown, at: origin, rate: 1_000)
        let before = estimate.instant(at: .now)
        let now = estimate.now
        let after = estimate.instant(at: .now)
        #expect(before <= now && now <= after)
        #expect(now >= shown)
    }

    @Test(.timeLimit(.minutes(1))) func `sleeping ends at the server's time`() async throws {
        let estimate = ServerClockEstimate(shown: shown, at: .now, rate: 100_000)
        let minuteLater = shown + 60
        try await estimate.sleep(until: minuteLater)
        #expect(estimate.now >= minuteLater)
        // The clock does not wait for an instant in the past.
        try await estimate.sleep(until: shown)
    }
}
