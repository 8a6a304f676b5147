internal import PromisedConcurrency

/// A number of places shared by the service threads of one server.
package final class Budget: Sendable {
    private struct State {
        var limit: Int
        var taken = 0
    }

    private let state: Guarded<State>

    package init(limit: Int) { state = Guarded(State(limit: limit)) }

    /// How many places are taken.
    package var count: Int { state.withLock { $0.taken } }

    /// Takes a place; `false` if none is free.
    package func take() -> Bool {
        state.withLock { state in
            guard state.taken < state.limit else { return false }
            state.taken += 1
            return true
        }
    }

    /// Takes a place even if none is free, because another connection is about to give one back.
    package func takeAnyway() { state.withLock { $0.taken += 1 } }

    /// Releases a place.
    package func give() { state.withLock { $0.taken -= 1 } }

    /// Lowers the limit to `limit` places; taken places stay taken.
    package func restrict(to limit: Int) { state.withLock { $0.limit = min($0.limit, limit) } }
}
