internal import PromisedConcurrency

/// Wakes one waiter before its time.
///
/// A signal without a waiter is stored for the next wait, and several count as one: the waiter checks everything
/// anyway.
final class WakeSignal: Sendable {
    private struct State: Sendable {
        var isRung = false
        var sleeper: Task<Void, Never>?
    }

    private let state = Guarded(State())

    init() {}

    /// Ends the current wait, or the next.
    func signal() {
        let sleeper = state.withLock { state in
            state.isRung = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Waits for a signal, for `deadline` on the clock if there is one, or for cancellation. One waiter at a time.
    func wait(until deadline: Duration?, on time: some ClientTime) async {
        // A wait without a deadline wakes once a day, at negligible cost.
        let end = deadline ?? time.uptime + .seconds(86_400)
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            guard !state.isRung else {
                state.isRung = false
                return nil
            }
            // Ended by the signal, the clock or the waiter's cancellation; awaited right here.
            let sleeper = Task { await Self.sleep(until: end, on: time) }
            state.sleeper = sleeper
            return sleeper
        }
        guard let sleeper else { return }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { state in
            state.isRung = false
            state.sleeper = nil
        }
    }

    private static func sleep(until end: Duration, on time: some ClientTime) async {
        do {
            try await time.sleep(until: end)
        } catch {
            // Woken early, as intended.
        }
    }
}
