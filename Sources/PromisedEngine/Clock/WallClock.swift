package import PromisedDomain

/// The server's clock: the only one that decides anything (docs/decisions/0005-server-clock-decides.md).
package protocol WallClock: Sendable {
    /// The present instant; never runs backwards.
    var now: Instant { get }

    /// Waits until `instant`; returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    func sleep(until instant: Instant) async throws

    /// How many seconds of this clock pass in one real second; 1 in production.
    var rate: Double { get }
}

/// A clock that starts at a given instant and runs `rate` times as fast as the world.
///
/// It follows the machine's continuous clock from its start, so setting the wall clock while the server runs moves no
/// arrival.
package struct ScaledClock: WallClock {
    /// How many seconds of this clock pass in one real second.
    package let rate: Double
    private let start: Instant
    private let origin: ContinuousClock.Instant

    /// A clock that shows `start` now.
    ///
    /// - Parameter rate: finite and positive.
    package init(start: Instant, rate: Double = 1) {
        precondition(rate > 0 && rate.isFinite, "A clock needs a positive rate")
        self.rate = rate
        self.start = start
        origin = .now
    }

    /// The present instant.
    package var now: Instant {
        Instant(milliseconds: start.milliseconds + Int64((ContinuousClock.now - origin).inMilliseconds * rate))
    }

    /// Waits until `instant`.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(until instant: Instant) async throws {
        // The clock rounds down to milliseconds: half a step later it has certainly reached the instant asked for.
        let ahead = (Double((instant - start).milliseconds) + 0.5) / rate
        try await Task.sleep(until: origin + .nanoseconds(Int64(min(ahead, 1e12) * 1e6)), clock: .continuous)
    }
}
