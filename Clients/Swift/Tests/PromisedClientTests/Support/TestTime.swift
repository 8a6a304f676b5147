import PromisedConcurrency

@testable import PromisedClient

/// Clocks that only a test moves; both move together.
final class TestTime: ClientTime {
    private struct Sleeper: Sendable {
        let end: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var uptime: Duration
        var nextNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(end: Duration, continuation: AsyncStream<Void>.Continuation)] = []
    }

    /// The wall clock when the device started, in milliseconds.
    static let bootWallMs = 1_795_251_600_000.0

    let boot: String?
    private let state: Guarded<State>

    init(uptime: Duration = .seconds(1_000), boot: String? = "run-1") {
        self.boot = boot
        state = Guarded(State(uptime: uptime))
    }

    var uptime: Duration { state.withLock { $0.uptime } }
    var wallMs: Double { Self.bootWallMs + (uptime / .milliseconds(1)).rounded() }

    /// Advances the clocks and wakes the sleepers that are due.
    func advance(by span: Duration) {
        let due = state.withLock { state in
            state.uptime += span
            let due = state.sleepers.filter { $0.value.end <= state.uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until a task sleeps for exactly this duration.
    func sleeper(for span: Duration) async { await sleeper(until: uptime + span) }

    /// Waits until a task sleeps for exactly this duration, and advances the clocks by it.
    func pass(_ span: Duration) async {
        await sleeper(for: span)
        advance(by: span)
    }

    func sleep(until end: Duration) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { add(Sleeper(end: end, continuation: $0), number: number) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(returning: false)
        }
        if !hasCome { throw CancellationError() }
    }

    /// Ends with the test's time limit, too.
    private func sleeper(until end: Duration) async {
        let (found, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let isThere = state.withLock { state in
            if state.sleepers.values.contains(where: { $0.end == end }) { return true }
            state.watchers.append((end, continuation))
            return false
        }
        if isThere { continuation.finish() }
        for await _ in found {}
    }

    private func add(_ sleeper: Sleeper, number: Int) {
        let isCancelled = Task.isCancelled
        let (isOver, watchers) = state.withLock { state -> (Bool, [AsyncStream<Void>.Continuation]) in
            guard !isCancelled, sleeper.end > state.uptime else { return (true, []) }
            state.sleepers[number] = sleeper
            let watchers = state.watchers.filter { $0.end == sleeper.end }.map(\.continuation)
            state.watchers.removeAll { $0.end == sleeper.end }
            return (false, watchers)
        }
        if isOver { sleeper.continuation.resume(returning: !isCancelled) }
        for watcher in watchers { watcher.finish() }
    }
}
