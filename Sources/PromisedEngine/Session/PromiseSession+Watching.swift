public import PromisedDomain

// What administrators see of a session: everything, without a part in it.
extension PromiseSession {
    /// Tells a connection everything of the promise from now on, as no participant: nothing is hidden from it, and
    /// nobody learns of it. It ends with ``unsubscribe(_:)``.
    ///
    /// - Parameter reply: called on the session; must hand the reply to the connection without waiting, so that no event
    ///   overtakes it.
    /// - Throws: `unavailable`, `retired`, `notFound`.
    public func watch(
        _ watcher: SubscriberID,
        reply: @Sendable (Subscription) -> Void
    ) async throws(EngineError) {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await settleAll()
        guard life.phase == .running else { throw life.phase == .retired ? .retired : .unavailable }
        life.lastUsedAt = context.clock.now
        tellHeldEstimates()
        audience.watch(watcher)
        reply(Subscription(view: machine.view(at: life.lastUsedAt), missed: nil, nextReport: nil))
    }

    /// What it holds now, durable or about to be.
    public func summary() -> SessionSummary {
        SessionSummary(
            promise: machine.promise,
            status: machine.promise.status(at: context.clock.now),
            acceptedCount: machine.participants.count { $0.membership == .accepted },
            subscriberCount: audience.subscribers.count + audience.watchers.count,
            fixCount: machine.heldFixCount,
            lastSeq: machine.lastSeq,
            arrivalCount: machine.board.count
        )
    }
}

/// A promise that is held in memory, in numbers.
public struct SessionSummary: Hashable, Sendable {
    /// The promise.
    public var promise: Promise
    /// Where it stands.
    public var status: PromiseStatus
    /// How many accepted.
    public var acceptedCount: Int
    /// How many connections follow it, administrators' included.
    public var subscriberCount: Int
    /// How many fixes it holds.
    public var fixCount: Int
    /// The number of the last durable event.
    public var lastSeq: Int
    /// How many arrivals there are.
    public var arrivalCount: Int
}
