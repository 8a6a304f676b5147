internal import Logging
package import PromisedDomain

/// The last durable event of a promise that a returning client knows.
package struct ResumePoint: Hashable, Sendable {
    /// The numbering of `lastSeq`.
    package var epoch: String
    /// The last number that the client has received; 0 before the first.
    package var lastSeq: Int

    package init(epoch: String, lastSeq: Int) {
        self.epoch = epoch
        self.lastSeq = lastSeq
    }
}

/// The first message to a new subscriber; the next durable event has the number after ``SessionView/lastSeq``.
package struct Subscription: Sendable {
    /// The promise as the subscriber may see it.
    package var view: SessionView
    /// The durable events after the resume point, ascending; nil if a snapshot must replace them.
    package var missed: [NumberedEvent]?
    /// The time until the subscriber's next report; nil: stop reporting.
    package var nextReport: TimeSpan?
}

extension PromiseSession {
    /// Above this number of missed events the reply is a snapshot (docs/protocol.md#resuming).
    package static let missedLimit = 500
    /// The limit for the arrivals in revised rankings among the missed events: more would exceed a frame.
    package static let missedArrivalLimit = 1_000

    /// Subscribes a connection of an accepted participant.
    ///
    /// - Parameters:
    ///   - point: the client's last known event; nil for none.
    ///   - reply: called on the session; must hand the reply to the connection without waiting, so that no event
    ///     overtakes it.
    /// - Throws: `refused(promiseNotFound)` (a stranger), `refused(promiseNotAccepted)`, `unavailable`, `retired`.
    package func subscribe(
        _ subscriber: SubscriberID,
        of userID: UserID,
        since point: ResumePoint? = nil,
        reply: @Sendable (Subscription) -> Void
    ) async throws(EngineError) {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await settleAll()
        try requireAccepted(userID)
        let missed = try await missed(since: point)
        guard life.phase == .running else { throw life.phase == .retired ? .retired : .unavailable }
        // Another event may have changed the memberships meanwhile.
        try requireAccepted(userID)
        let now = context.clock.now
        life.lastUsedAt = now
        tellHeldEstimates()
        audience.subscribe(subscriber, of: userID)
        followGrid()
        reply(
            Subscription(
                view: machine.view(at: now, for: userID),
                missed: missed,
                nextReport: machine.nextReport(for: userID, at: now)
            )
        )
        if let pace = machine.paceReminder(for: userID, at: now) {
            context.announcer.deliver(.passing(pace), of: id, to: [subscriber])
        }
        try await carryOut(machine.receive(.connection(userID, isOnline: true), at: now))
    }

    /// Ends a subscription, if there is one.
    package func unsubscribe(_ subscriber: SubscriberID) {
        audience.remove(subscriber)
        life.lastUsedAt = context.clock.now
    }

    /// Records that a connection of a user has ended; the user may have others.
    package func noteConnectionEnd(of userID: UserID) async {
        guard life.phase == .running, context.connections.connections(of: userID).isEmpty else { return }
        do {
            try await carryOut(machine.receive(.connection(userID, isOnline: false), at: context.clock.now))
        } catch {
            // No caller waits for it; the failure has been logged, and the next use starts from the durable state.
        }
    }

    private func requireAccepted(_ userID: UserID) throws(EngineError) {
        guard let part = machine.participant(userID) else { throw .refused(.promiseNotFound) }
        switch part.membership {
        case .accepted: return
        case .invited: throw .refused(.promiseNotAccepted)
        case .declined, .left, .removed: throw .refused(.promiseNotFound)
        }
    }

    /// The durable events after a point, up to the last; nil if some are deleted, if there are too many, or if the
    /// numbering differs. Does not suspend between the check of the last number and the return.
    private func missed(since point: ResumePoint?) async throws(EngineError) -> [NumberedEvent]? {
        guard let point, point.epoch.utf8.elementsEqual(machine.promise.epoch.utf8), point.lastSeq >= 0,
            point.lastSeq <= machine.lastSeq, machine.lastSeq - point.lastSeq <= PromiseSession.missedLimit
        else { return nil }
        var missed: [NumberedEvent] = []
        var last = point.lastSeq
        var arrivals = 0
        while last < machine.lastSeq {
            let more = try await kept(after: last)
            guard let first = more.first, let newest = more.last, first.seq == last + 1 else { return nil }
            missed += more
            arrivals += more.reduce(0) { $0 + $1.event.revisedCount }
            last = newest.seq
            guard missed.count <= PromiseSession.missedLimit, arrivals <= PromiseSession.missedArrivalLimit else {
                return nil
            }
            try await settleAll()
        }
        return missed
    }

    func logRead(_ error: ArchiveError) {
        context.log.error("Archive could not be read", metadata: ["promise": "\(id)", "error": "\(error)"])
    }

    private func kept(after seq: Int) async throws(EngineError) -> [NumberedEvent] {
        do {
            // Limited to the existing events: a large read delays others.
            return try await context.archive.events(of: id, after: seq, limit: machine.lastSeq - seq)
        } catch {
            logRead(error)
            throw .unavailable
        }
    }
}

extension PromiseEvent {
    /// The number of arrivals in a revision of the ranking.
    fileprivate var revisedCount: Int { if case .rankingRevised(let arrivals, _) = self { arrivals.count } else { 0 } }
}
