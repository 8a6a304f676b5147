public import PromisedDomain

/// The server's clock: the only one that decides anything (docs/decisions/0005-server-clock.md).
public protocol WallClock: Sendable {
    /// The present instant; never runs backwards.
    var now: Instant { get }

    /// Waits until `instant`; returns at once when it has passed.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    func sleep(until instant: Instant) async throws

    /// How many seconds of this clock pass in one real second; 1 in production.
    var rate: Double { get }
}
