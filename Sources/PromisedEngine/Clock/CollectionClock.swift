/// The clock that measures how long positions are collected: real time, whatever the rate of the server's clock.
package struct CollectionClock: Sendable {
    private let read: @Sendable () -> ContinuousClock.Instant
    private let wait: @Sendable (ContinuousClock.Instant) async throws -> Void

    package static let real = CollectionClock {
        .now
    } wait: { instant in
        try await Task.sleep(until: instant, clock: .continuous)
    }

    /// A clock of a simulation.
    ///
    /// - Parameters:
    ///   - read: the present instant.
    ///   - wait: returns at an instant; throws `CancellationError` when its task is cancelled.
    package init(
        read: @escaping @Sendable () -> ContinuousClock.Instant,
        wait: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void
    ) {
        self.read = read
        self.wait = wait
    }

    var now: ContinuousClock.Instant { read() }

    func sleep(until instant: ContinuousClock.Instant) async throws { try await wait(instant) }
}
