package import PromisedDomain

/// The server's clock: the only source of time for decisions (docs/decisions/0005-server-clock-decides.md).
package protocol WallClock: Sendable {
    /// The present instant; never runs backwards.
    var now: Instant { get }

    /// Waits until `instant`; returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    func sleep(until instant: Instant) async throws

    /// Seconds of this clock per real second; 1 in production.
    var rate: Double { get }
}

/// A clock that starts at a given instant and runs at `rate` times real time.
///
/// It follows the machine's continuous clock from its start, so a change of the wall clock while the server runs moves
/// no arrival.
package struct ScaledClock: WallClock {
    package let rate: Double
    private let start: Instant
    private let origin: ContinuousClock.Instant

    /// Creates a clock that shows `start` now.
    ///
    /// - Parameter rate: finite and positive.
    package init(start: Instant, rate: Double = 1) {
        precondition(rate > 0 && rate.isFinite, "A clock needs a positive rate")
        self.rate = rate
        self.start = start
        origin = .now
    }

    package var now: Instant {
        Instant(milliseconds: start.milliseconds + Int64((ContinuousClock.now - origin).inMilliseconds * rate))
    }

    package func sleep(until instant: Instant) async throws {
        // The clock rounds down to milliseconds: half a millisecond later it has certainly reached the requested
        // instant.
        let ahead = (Double((instant - start).milliseconds) + 0.5) / rate
        try await Task.sleep(until: origin + .nanoseconds(Int64(min(ahead, 1e12) * 1e6)), clock: .continuous)
    }
}
