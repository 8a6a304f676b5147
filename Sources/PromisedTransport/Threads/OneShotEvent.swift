internal import PromisedConcurrency

/// An event that happens once, for which any number of tasks can wait.
final class OneShotEvent: Sendable {
    fileprivate struct State {
        var hasHappened = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<UInt64> = []
        var nextTicket: UInt64 = 0
    }

    private let state = Guarded(State())

    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// Signals the event: resumes all waiting tasks; later calls of `wait` return at once.
    func signal() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.hasHappened = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once the event has happened, even if the task is cancelled meanwhile.
    func wait() async {
        await withCheckedContinuation { continuation in
            let ticket = state.withLock { $0.takeTicket() }
            enter(continuation, ticket: ticket)
        }
    }

    /// Returns once the event has happened or the task is cancelled.
    func waitUnlessCancelled() async {
        let ticket = state.withLock { $0.takeTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { enter($0, ticket: ticket) }
        } onCancel: {
            cancel(ticket)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
    }

    private func enter(_ continuation: CheckedContinuation<Void, Never>, ticket: UInt64) {
        let mayGoOn = state.withLock { state -> Bool in
            if state.hasHappened || state.cancelled.contains(ticket) { return true }
            state.waiting[ticket] = continuation
            return false
        }
        if mayGoOn { continuation.resume() }
    }

    private func cancel(_ ticket: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let waiting = state.waiting.removeValue(forKey: ticket) { return waiting }
            state.cancelled.insert(ticket)
            return nil
        }
        continuation?.resume()
    }
}

extension OneShotEvent.State {
    fileprivate mutating func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }
}
