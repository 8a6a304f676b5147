internal import PromisedConcurrency
internal import PromisedDomain

/// The future events of a world, by time: the world's clock shows the instant of the last one that happened.
final class EventQueue: Timeline {
    private struct State: Sendable {
        var now: Instant
        /// The latest first; those of one instant happen in order from the end.
        var instants: [Instant] = []
        var events: [WorldEvent] = []
    }

    private let state: Guarded<State>

    init(at now: Instant) { state = Guarded(State(now: now)) }

    var now: Instant { state.withLock { $0.now } }

    /// The instant of the next entry, which may have passed; nil without one.
    var nextInstant: Instant? { state.withLock { $0.instants.last } }

    /// Adds an event at an instant, after all others of that instant.
    func add(_ event: WorldEvent, at instant: Instant) {
        state.withLock { state in
            var (low, high) = (0, state.instants.count)
            while low < high {
                let middle = (low + high) / 2
                if state.instants[middle] > instant { low = middle + 1 } else { high = middle }
            }
            state.instants.insert(instant, at: low)
            state.events.insert(event, at: low)
        }
    }

    func wake(_ number: Int, of clock: VirtualClock, at instant: Instant) { add(.wake(clock, number), at: instant) }

    /// Removes the first entry that is due.
    func takeDue() -> WorldEvent? {
        state.withLock { state in
            guard let instant = state.instants.last, instant <= state.now else { return nil }
            state.instants.removeLast()
            return state.events.removeLast()
        }
    }

    /// Moves the clock forward; it never runs backwards.
    func advance(to instant: Instant) { state.withLock { $0.now = max($0.now, instant) } }
}
