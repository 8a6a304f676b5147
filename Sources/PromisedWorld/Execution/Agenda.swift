internal import PromisedConcurrency
internal import PromisedDomain

/// What is to happen in a world, by time: the world's clock shows the instant of what happened last.
final class Agenda<Happening: Sendable>: Sendable {
    private struct Entry: Sendable {
        let instant: Instant
        let number: Int
        let happening: Happening
    }

    private struct State: Sendable {
        var now: Instant
        var lastNumber = 0
        /// By instant and then by number, the latest first.
        var entries: [Entry] = []
    }

    private let state: Guarded<State>

    /// An empty agenda at an instant.
    init(at now: Instant) { state = Guarded(State(now: now)) }

    /// The present instant.
    var now: Instant { state.withLock { $0.now } }

    /// The instant of the next entry, which may have passed; nil without one.
    var nextInstant: Instant? { state.withLock { $0.entries.last?.instant } }

    /// Enters something that happens at an instant, after everything else of that instant.
    func add(_ happening: Happening, at instant: Instant) {
        state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(instant: instant, number: state.lastNumber, happening: happening)
            var (low, high) = (0, state.entries.count)
            while low < high {
                let middle = (low + high) / 2
                if state.entries[middle].instant > instant { low = middle + 1 } else { high = middle }
            }
            state.entries.insert(entry, at: low)
        }
    }

    /// Takes the first entry whose instant has come.
    func takeDue() -> Happening? {
        state.withLock { state in
            guard let last = state.entries.last, last.instant <= state.now else { return nil }
            state.entries.removeLast()
            return last.happening
        }
    }

    /// Moves the clock forward; it never runs backwards.
    func advance(to instant: Instant) { state.withLock { $0.now = max($0.now, instant) } }
}
