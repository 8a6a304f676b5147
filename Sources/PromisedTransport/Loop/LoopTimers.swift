/// The time of one service thread, and the next check of each of its connections.
///
/// Timers can't be cancelled; the connection's ``Deadlines`` know which of its timers is current.
struct LoopTimers {
    private var wheel: TimerWheel<(id: ConnectionID, instant: LoopInstant)>
    private var clock: LoopClock

    /// A clock that starts at `instant`, without timers.
    init(_ timing: ConnectionTiming, startingAt instant: ContinuousClock.Instant) {
        wheel = TimerWheel(resolution: timing.resolution)
        clock = LoopClock(startingAt: instant, longestStep: timing.resolution * 3)
    }

    /// The thread's time as of the last tick.
    var now: LoopInstant { clock.now }

    /// Ensures that the connection is checked no later than at its next deadline.
    mutating func set(for channel: Channel) {
        if let timer = channel.deadlines.newTimer() { wheel.schedule((channel.id, timer), at: timer) }
    }

    /// Advances to `instant`. Returns the connections in `table` that must be checked now.
    mutating func tick(at instant: ContinuousClock.Instant, in table: ChannelTable) -> [Channel] {
        clock.tick(at: instant)
        return wheel.advance(to: clock.now).compactMap { id, instant in
            table[id].flatMap { $0.deadlines.hasFired(instant) ? $0 : nil }
        }
    }
}
