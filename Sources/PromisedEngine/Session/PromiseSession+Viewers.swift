package import PromisedDomain

// Viewers by link, without an account: a separate audience with its own frames, so that the participants' frames cost
// the same with and without viewers.
extension PromiseSession {
    /// Starts watching by the code of the link.
    ///
    /// - Parameters:
    ///   - codeHash: the SHA-256 of the code.
    ///   - reply: called on the session; must hand the reply to the connection without waiting, so that no event
    ///     overtakes it.
    /// - Throws: `refused(codeInvalid)`, `refused(viewerLimit)`, `unavailable`, `retired`.
    package func watch(
        _ subscriber: SubscriberID,
        by codeHash: [UInt8],
        reply: @Sendable (LinkView) -> Void
    ) async throws(EngineError) {
        life.underWay += 1
        defer { life.underWay -= 1 }
        try await ensureRunning()
        try await settleAll()
        await endViewingWhenOver()
        guard life.phase == .running else { throw life.phase == .retired ? .retired : .unavailable }
        let now = context.clock.now
        life.lastUsedAt = now
        guard let endsAt = machine.viewLinkEnd(at: now), machine.endOfViewLink(codeHash, at: now) == nil else {
            throw .refused(.codeInvalid)
        }
        guard audience.viewers.subscribers.count < ViewLinkLimits.viewers else { throw .refused(.viewerLimit) }
        tellHeldEstimates()
        audience.viewers.codeHash = codeHash
        if audience.viewers.isEmpty { audience.viewers.shown = machine.shownToViewers }
        audience.viewers.subscribers.insert(subscriber)
        reply(linkView(of: machine.view(at: now), endsAt: endsAt, at: now))
        await noteViewerCount()
    }

    /// Stops a connection's watching, if it does watch.
    package func unwatch(_ subscriber: SubscriberID) async {
        guard audience.viewers.subscribers.remove(subscriber) != nil else { return }
        life.lastUsedAt = context.clock.now
        // A session that is not running learns the number when it starts.
        if life.phase == .running { await noteViewerCount() }
    }

    func endViewingWhenOver() async {
        let now = context.clock.now
        guard !audience.viewers.isEmpty, let end = machine.endOfViewLink(audience.viewers.codeHash, at: now) else {
            return
        }
        context.announcer.deliver(.linkEnded(end), of: id, to: audience.viewers.recipients)
        audience.viewers = ViewerAudience()
        await noteViewerCount()
    }

    /// Makes the machine announce the number of viewers to the participants.
    func noteViewerCount() async {
        do {
            try await carryOut(machine.receive(.viewers(audience.viewers.subscribers.count), at: context.clock.now))
        } catch {
            // No caller waits for it; the failure has been logged, and the next use starts from the durable state.
        }
    }

    // MARK: - Announcements

    /// Sends viewers the durable changes: the promise if it or its people changed, then the events.
    func showViewers(_ commit: SessionCommit, in view: SessionView) {
        let now = context.clock.now
        guard !audience.viewers.isEmpty, mayStillHear(at: now) else { return }
        let shown = Set(view.members.lazy.map(\.participant).filter(\.isShownToViewers).map(\.userID))
            .intersection(machine.shownToViewers)
        let isChanged = shown != audience.viewers.shown || commit.events.contains { $0.event.changesPromiseForViewers }
        audience.viewers.shown = shown
        if isChanged, let endsAt = machine.viewLinkEnd(at: now) {
            deliverToViewers(.linkView(linkView(of: view, endsAt: endsAt, at: now)))
        }
        for numbered in commit.events {
            guard let event = numbered.event.seenByViewers(of: shown) else { continue }
            // Without its number, which would reveal the existence of hidden events.
            let part = NumberedEvent(seq: 0, at: numbered.at, event: event)
            deliverToViewers(.event(part, view.seenByViewers(of: shown, live: view)))
        }
    }

    func tellViewers(_ event: PassingEvent) {
        guard !audience.viewers.isEmpty, machine.endOfViewLink(audience.viewers.codeHash, at: context.clock.now) == nil
        else { return }
        if let part = event.seenByViewers(of: visibleNow) { deliverToViewers(.passing(part)) }
    }

    func sendViewers(_ positions: [LivePosition], at now: Instant) {
        guard !audience.viewers.isEmpty, machine.endOfViewLink(audience.viewers.codeHash, at: now) == nil else {
            return
        }
        let visible = visibleNow
        let seen = positions.filter { visible.contains($0.userID) }
        if !seen.isEmpty { deliverToViewers(.positions(seen, nextReport: nil)) }
    }

    /// Participants who were shown to the viewers and still consent.
    private var visibleNow: Set<UserID> { audience.viewers.shown.intersection(machine.shownToViewers) }

    /// `true` if viewers still receive events: also those of a cancelled promise receive the cancellation.
    private func mayStillHear(at now: Instant) -> Bool {
        switch machine.endOfViewLink(audience.viewers.codeHash, at: now) {
        case nil, .cancelled: true
        case .expired, .revoked, .replaced: false
        }
    }

    private func linkView(of durable: SessionView, endsAt: Instant, at now: Instant) -> LinkView {
        LinkView(view: durable.seenByViewers(of: visibleNow, live: machine.view(at: now)), endsAt: endsAt)
    }

    private func deliverToViewers(_ announcement: Announcement) {
        context.announcer.deliver(announcement, of: id, to: audience.viewers.recipients)
    }
}

// The administrators' view of a session: complete, and without membership.
extension PromiseSession {
    /// Subscribes an administrator's connection to the whole promise: nothing is hidden from it, and participants do
    /// not see it. It ends with ``unsubscribe(_:)``.
    ///
    /// - Parameter reply: called on the session; must hand the reply to the connection without waiting, so that no
    ///   event overtakes it.
    /// - Throws: `unavailable`, `retired`, `notFound`.
    package func watch(_ watcher: SubscriberID, reply: @Sendable (Subscription) -> Void) async throws(EngineError) {
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

    /// The state in memory, durable or about to be.
    package func summary() -> SessionSummary {
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

/// Figures of a promise in memory.
package struct SessionSummary: Hashable, Sendable {
    package var promise: Promise
    package var status: PromiseStatus
    package var acceptedCount: Int
    /// The number of connections that follow it, including administrators'.
    package var subscriberCount: Int
    package var fixCount: Int
    package var lastSeq: Int
    package var arrivalCount: Int
}
