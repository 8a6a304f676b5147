import PromisedTransport

/// Remembers what happened, in order, and lets a test wait for something to happen.
final class Signals<Signal: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let isMet: @Sendable ([Signal]) -> Bool
        let continuation: CheckedContinuation<[Signal], Never>
    }

    private struct State: Sendable {
        var signals: [Signal] = []
        var waiters: [Waiter] = []
    }

    private let state = Guarded(State())

    /// All that happened so far.
    var all: [Signal] { state.withLock { $0.signals } }

    /// Notes that something happened.
    func note(_ signal: Signal) {
        let (met, signals) = state.withLock { state -> ([Waiter], [Signal]) in
            state.signals.append(signal)
            let signals = state.signals
            let met = state.waiters.filter { $0.isMet(signals) }
            state.waiters.removeAll { $0.isMet(signals) }
            return (met, signals)
        }
        for waiter in met { waiter.continuation.resume(returning: signals) }
    }

    /// Returns all that happened once it meets the condition.
    @discardableResult
    func wait(until isMet: @escaping @Sendable ([Signal]) -> Bool) async -> [Signal] {
        await withCheckedContinuation { continuation in
            let already = state.withLock { state -> [Signal]? in
                let signals = state.signals
                if isMet(signals) { return signals }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return nil
            }
            if let already { continuation.resume(returning: already) }
        }
    }

    /// Returns the first thing that `find` finds, once it has happened.
    func first<Found: Sendable>(_ find: @escaping @Sendable (Signal) -> Found?) async -> Found {
        let signals = await wait { $0.contains { find($0) != nil } }
        guard let found = signals.lazy.compactMap(find).first else {
            preconditionFailure("The condition was met a moment ago.")
        }
        return found
    }
}
