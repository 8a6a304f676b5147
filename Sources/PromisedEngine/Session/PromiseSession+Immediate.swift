public import PromisedDomain

// The short way of a report: no task and no change of threads, as long as nothing must be waited for.
extension PromiseSession {
    /// How far an event got at once.
    public enum Progress: Sendable {
        /// All that follows from it is done.
        case done(SessionReply)
        /// It has happened; what is left must be waited for, with ``PromiseSession/finish(_:)``.
        case pending(Pending)
        /// Nothing has happened, for the session is not running.
        case notRunning
    }

    /// The rest of a step that has begun. To be finished once.
    public struct Pending: Sendable {
        let rest: Rest
    }

    /// Whether the caller runs where the session lives, and so may enter it without waiting.
    public nonisolated var isHere: Bool { executor.isIsolatingCurrentContext() == true }

    /// Feeds an event here and now, if it is running.
    ///
    /// - Throws: `refused`.
    public func performNow(_ event: SessionEvent) throws(EngineError) -> Progress {
        guard phase == .running else { return .notRunning }
        lastUsedAt = context.clock.now
        let rest = absorb(machine.receive(event, at: lastUsedAt))
        // The scheduler need not hear at once of a wake that is some time off.
        guard isImmediate(rest), rest.wake.map({ $0 > lastUsedAt + context.settings.wakeNotice }) ?? true else {
            underWay += 1
            return .pending(Pending(rest: rest))
        }
        for event in rest.news { tell(event) }
        if let wake = rest.wake { lane.assumeIsolated { $0.add(SessionWake(id: id, instant: wake)) } }
        return .done(try checked(rest.reply))
    }

    /// How far a wake got at once.
    enum Wakening: Sendable {
        /// All that follows from it is done; when to wake next, nil for never.
        case done(next: Instant?)
        /// It has happened; what is left must be waited for, with ``PromiseSession/finishWake(_:)``.
        case pending(Pending)
        /// Nothing has happened, for the session is not running.
        case notRunning
    }

    /// The clock reached the instant asked for: works off what it did, here and now. Mostly nothing is left of it: reports
    /// that came meanwhile have put off what was to be told, or the last of them has told it.
    func wakeNow() -> Wakening {
        guard phase == .running else { return .notRunning }
        lastUsedAt = context.clock.now
        if let later = machine.putOffWake(at: lastUsedAt) { return .done(next: later) }
        let rest = absorb(machine.receive(.wake, at: lastUsedAt))
        guard isImmediate(rest) else {
            underWay += 1
            return .pending(Pending(rest: rest))
        }
        for event in rest.news { tell(event) }
        return .done(next: nextWake)
    }

    /// Waits until what followed from an event is durable, and does the rest.
    ///
    /// - Throws: `refused`, `unavailable` (nothing happened).
    public func finish(_ pending: Pending) async throws(EngineError) -> SessionReply {
        defer { underWay -= 1 }
        return try checked(try await finish(pending.rest))
    }
}
