internal import PromisedConcurrency

/// Wakes one waiter, before its time when it is rung.
///
/// A ring while nobody waits is kept for the next wait, and several are one: the waiter looks at everything anyway.
final class Bell: Sendable {
    private struct State: Sendable {
        var isRung = false
        var sleeper: Task<Void, Never>?
    }

    private let state = Guarded(State())

    /// A bell that was not rung.
    init() {}

    /// Ends the present wait, or the next.
    func ring() {
        let sleeper = state.withLock { state in
            state.isRung = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    /// Waits for a ring, for `deadline` on the clock if there is one, or for cancellation. One waiter at a time.
    func wait(until deadline: Duration?, on time: some ClientTime) async {
        // Who waits for a ring alone looks around once a day; that costs nothing.
        let end = deadline ?? time.uptime + .seconds(86_400)
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            guard !state.isRung else {
                state.isRung = false
                return nil
            }
            // Ended by the ring, the clock or the waiter's cancellation; awaited right here.
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
            // Woken early: that is what the bell is for.
        }
    }
}
