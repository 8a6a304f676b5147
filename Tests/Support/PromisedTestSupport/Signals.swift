internal import PromisedConcurrency

/// Records events in order, and lets a test wait for one.
///
/// A wait ends with its task: a test cancelled at its time limit fails without delaying the others.
package final class Signals<Signal: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let isMet: @Sendable ([Signal]) -> Bool
        let continuation: CheckedContinuation<[Signal], Never>
    }

    private struct Waiting: Sendable {
        var waiters: [Waiter] = []
        var lastNumber = 0
        /// Waits that were cancelled before they began.
        var abandoned: Set<Int> = []
    }

    // Two locks, so that a condition may read the events so far.
    private let signals = Guarded<[Signal]>([])
    private let waiting = Guarded(Waiting())

    package init() {}

    package var all: [Signal] { signals.withLock { $0 } }

    package func note(_ signal: Signal) {
        signals.withLock { $0.append(signal) }
        resumeWaiters()
    }

    /// Waits until the events meet a condition, or the task is cancelled.
    ///
    /// - Parameter isMet: called by one thread at a time; must record nothing.
    /// - Returns: all events by then.
    @discardableResult
    package func wait(until isMet: @escaping @Sendable ([Signal]) -> Bool) async -> [Signal] {
        let number = waiting.withLock { waiting in
            waiting.lastNumber += 1
            return waiting.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAbandoned = waiting.withLock { waiting in
                    if waiting.abandoned.remove(number) != nil { return true }
                    waiting.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
                    return false
                }
                // The waiter has not received signals from before its registration.
                if isAbandoned { continuation.resume(returning: all) } else { resumeWaiters() }
            }
        } onCancel: {
            abandon(number)
        }
    }

    /// Waits for the first result of `find`. Throws `CancellationError` if the task is cancelled before that.
    package func first<Found: Sendable>(_ find: @escaping @Sendable (Signal) -> Found?) async throws -> Found {
        let signals = await wait { $0.contains { find($0) != nil } }
        guard let found = signals.lazy.compactMap(find).first else { throw CancellationError() }
        return found
    }

    private func resumeWaiters() {
        let (met, signals) = waiting.withLock { waiting in
            // Read here, so that every call includes all earlier signals.
            let signals = all
            let firstMet = waiting.waiters.partition { $0.isMet(signals) }
            defer { waiting.waiters.removeSubrange(firstMet...) }
            return (waiting.waiters[firstMet...], signals)
        }
        for waiter in met { waiter.continuation.resume(returning: signals) }
    }

    private func abandon(_ number: Int) {
        let waiter = waiting.withLock { waiting -> Waiter? in
            guard let index = waiting.waiters.firstIndex(where: { $0.number == number }) else {
                waiting.abandoned.insert(number)
                return nil
            }
            return waiting.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: all)
    }
}
