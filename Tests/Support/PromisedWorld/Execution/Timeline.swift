internal import PromisedDomain

/// The world's time, which schedules the sleepers of clocks.
protocol Timeline: Sendable {
    var now: Instant { get }

    /// Wakes a sleeper of a clock at an instant.
    func wake(_ number: Int, of clock: VirtualClock, at instant: Instant)
}
