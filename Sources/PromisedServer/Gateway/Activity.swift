internal import PromisedConcurrency

/// How many connections are being served, and a way to wait until none is.
final class Activity: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    /// One more is being served.
    func begin() { state.withLock { $0.count += 1 } }

    /// One less.
    func end() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until none is being served, but no longer than `limit`.
    func quiet(within limit: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.quiet() }
            group.addTask { [self] in
                // Cut short by the cancellation below; then nobody waits any more.
                try? await Task.sleep(for: limit, clock: .continuous)
                resumeWaiters()
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func quiet() async {
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                if state.count == 0 { return true }
                state.waiters.append(continuation)
                return false
            }
            if isQuiet { continuation.resume() }
        }
    }

    private func resumeWaiters() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
