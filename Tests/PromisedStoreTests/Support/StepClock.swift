import PromisedConcurrency

/// A clock that moves only on a test's request.
final class StepClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(deadline: Instant, id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextID = 0
        var cancelled: Set<Int> = []
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers: [AsyncStream<Void>.Continuation]? = state.withLock { state in
                    if state.cancelled.contains(id) { return nil }
                    state.sleepers.append((deadline, id, continuation))
                    defer { state.watchers = [] }
                    return state.watchers
                }
                guard let watchers else { return continuation.resume(throwing: CancellationError()) }
                for watcher in watchers { watcher.finish() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                let index = state.sleepers.firstIndex { $0.id == id }
                return index.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when a sleeper waits, or at the test's time limit.
    func sleeper() async {
        let (found, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let isAsleep = state.withLock { state in
            if state.sleepers.isEmpty { state.watchers.append(continuation) }
            return !state.sleepers.isEmpty
        }
        if isAsleep { continuation.finish() }
        for await _ in found {}
    }

    /// Moves the clock and wakes the due sleepers.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
