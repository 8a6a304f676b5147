import PromisedConcurrency

/// The clock of the pauses between two builds of the index, which a test ends.
final class PauseClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleeper: (deadline: Instant, continuation: CheckedContinuation<Bool, Never>)?
        var watchers: [AsyncStream<Void>.Continuation] = []
        var isCancelled = false
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.sleeper = (deadline, continuation) }
                    for watcher in state.watchers { watcher.finish() }
                    state.watchers = []
                    return state.isCancelled
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                defer { state.sleeper = nil }
                state.isCancelled = true
                return state.sleeper
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isOver else { throw CancellationError() }
    }

    /// `true` during a pause.
    var hasSleeper: Bool { state.withLock { $0.sleeper != nil } }

    /// Waits until a pause has begun.
    func sleeper() async {
        let (found, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let isAsleep = state.withLock { state in
            if state.sleeper == nil { state.watchers.append(continuation) }
            return state.sleeper != nil
        }
        if isAsleep { continuation.finish() }
        for await _ in found {}
    }

    /// Moves the clock, and ends an elapsed pause.
    func advance(by duration: Duration = .seconds(10)) {
        let sleeper = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.now = state.now.advanced(by: duration)
            guard let sleeper = state.sleeper, sleeper.deadline <= state.now else { return nil }
            state.sleeper = nil
            return sleeper.continuation
        }
        sleeper?.resume(returning: true)
    }
}

/// A real-time clock that a test moves.
final class RealTimeHand: Sendable {
    private let instant = Guarded(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
