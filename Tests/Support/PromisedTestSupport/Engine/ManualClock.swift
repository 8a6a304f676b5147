internal import PromisedConcurrency
package import PromisedDomain
internal import PromisedEngine

/// A clock that a test advances.
package final class ManualClock: WallClock {
    private struct Sleeper: Sendable {
        let instant: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var now: Instant
        var nextNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(instant: Instant, continuation: AsyncStream<Void>.Continuation)] = []
    }

    /// A second of this clock takes no real time; work on the real clock is not affected.
    package let rate = 1.0
    private let state: Guarded<State>

    package init(now: Instant) { state = Guarded(State(now: now)) }

    package var now: Instant { state.withLock { $0.now } }

    /// Advances the clock and wakes the sleepers that are due.
    package func advance(to instant: Instant) {
        let due = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.value.instant <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.instant < $1.instant }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Advances the clock by a span.
    package func advance(by span: TimeSpan) { advance(to: now + span) }

    /// Waits until there is a sleeper for exactly `instant`, or the task is cancelled.
    package func sleeper(until instant: Instant) async {
        let (found, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let isThere = state.withLock { state in
            if state.sleepers.values.contains(where: { $0.instant == instant }) { return true }
            state.watchers.append((instant, continuation))
            return false
        }
        if isThere { continuation.finish() }
        for await _ in found {}
    }

    /// Waits until the clock was advanced to `instant` or past it.
    package func sleep(until instant: Instant) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Sleeper(instant: instant, continuation: continuation), number: number)
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(returning: false)
        }
        if !hasCome { throw CancellationError() }
    }

    private func add(_ sleeper: Sleeper, number: Int) {
        let (hasCome, watchers) = state.withLock { state -> (Bool?, [AsyncStream<Void>.Continuation]) in
            // Under the lock: a cancellation from now on finds the sleeper.
            guard !Task.isCancelled else { return (false, []) }
            guard sleeper.instant > state.now else { return (true, []) }
            state.sleepers[number] = sleeper
            let watchers = state.watchers.filter { $0.instant == sleeper.instant }.map(\.continuation)
            state.watchers.removeAll { $0.instant == sleeper.instant }
            return (nil, watchers)
        }
        if let hasCome { sleeper.continuation.resume(returning: hasCome) }
        for watcher in watchers { watcher.finish() }
    }
}
