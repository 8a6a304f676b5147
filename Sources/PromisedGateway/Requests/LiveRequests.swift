internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// The requests during a window: subscriptions, reports, clock readings, signals, check-ins, viewers.
struct LiveRequests: Sendable {
    let liveActions: LiveActions
    let links: ViewLinks
    let cards: UserCardCache
    let clock: any WallClock
    let sender: Sender

    // MARK: - Subscribing and watching

    /// Answers `subscribe`. The reply is sent from inside the session, so that no event overtakes it.
    func subscribe(
        _ request: WireSubscribe,
        from caller: Caller,
        on connection: Connection,
        id: UInt32
    ) async throws -> Answer<WireContent> {
        let promiseID = try PromiseID(wire: request.promiseID, field: "promiseId")
        guard request.epoch.utf8.count <= TextWeight.name else { throw RequestError(.requestInvalid, field: "epoch") }
        try await liveActions.subscribe(
            connection.id,
            of: caller.userID,
            to: promiseID,
            since: ResumePoint(request)
        ) { subscription in
            guard id != 0 else { return }
            answer(id, with: subscription, to: connection.id, in: caller.frame)
        }
        if connection.note(subscriptionTo: promiseID) { await forget(connection) }
        return .sent
    }

    /// Sends the missed events if the client can continue with them and they fit into a frame; otherwise a snapshot.
    private func answer(
        _ id: UInt32,
        with subscription: Subscription,
        to connection: SubscriberID,
        in frame: FrameFormat
    ) {
        var reply = WireSubscribed()
        reply.epoch = subscription.view.promise.epoch
        reply.seq = UInt32(clamping: subscription.view.lastSeq)
        reply.nextReportMs = subscription.nextReport.map { max(1, $0.wireMs) } ?? 0
        if let missed = missed(of: subscription, in: frame) {
            var told = reply
            told.missed = missed
            if sender.sendIfFitting(WireServerFrame(id: id, content: .subscribed(told)), to: connection) { return }
        }
        reply.snapshot = WirePromise(subscription.view, detail: .live, card: cards.card)
        sender.send(WireServerFrame(id: id, content: .subscribed(reply)), to: connection)
    }

    /// The missed events; nil if a snapshot must replace them. Events that contain the whole promise are measured one
    /// by one until one does not fit; the others are measured together.
    private func missed(of subscription: Subscription, in frame: FrameFormat) -> [WireEvent]? {
        guard let missed = subscription.missed else { return nil }
        var capacity = FrameCapacity(frame)
        var events: [WireEvent] = []
        events.reserveCapacity(missed.count)
        for numbered in missed {
            let event = WireEvent(numbered, in: subscription.view, card: cards.card)
            if numbered.event.holdsPromise {
                guard capacity.take(event) else { return nil }
            }
            events.append(event)
        }
        return events
    }

    /// Answers `unsubscribe`, also without a subscription.
    func unsubscribe(_ request: WireUnsubscribe, of connection: Connection) async throws -> Answer<WireContent> {
        try await unsubscribe(connection, from: try PromiseID(wire: request.promiseID, field: "promiseId"))
        return .done
    }

    /// Ends a connection's subscription, if there is one.
    func unsubscribe(_ connection: Connection, from promiseID: PromiseID) async throws {
        guard connection.forget(subscriptionTo: promiseID) else { return }
        await liveActions.unsubscribe(connection.id, from: promiseID)
    }

    /// Answers `watchByLink`. The reply is sent from inside the session, so that no event overtakes it.
    func watch(
        _ request: WireWatchByLink,
        _ connection: Connection,
        id: UInt32,
        at now: Instant
    ) async throws -> Answer<WireContent> {
        guard connection.identity == nil else { throw RequestError.signedInAlready }
        let promiseID = try await links.watch(
            by: request.code,
            connection.id,
            from: connection.address,
            at: now
        ) { link in
            sender.admit(connection)
            guard id != 0 else { return }
            let view = WireLinkView(link.view, endsAt: link.endsAt, at: clock.now, card: cards.card)
            sender.send(WireServerFrame(id: id, content: .linkView(view)), to: connection.id)
        }
        // A connection that has ended was removed before it began to watch.
        if connection.note(watching: promiseID) { await forget(connection) }
        return .sent
    }

    /// Ends all subscriptions of a closed connection, including one by a view link.
    func forget(_ connection: Connection) async {
        let (subscriptions, watched) = connection.forgetPromises()
        for promiseID in subscriptions { await liveActions.unsubscribe(connection.id, from: promiseID) }
        if let watched { await links.unwatch(watched, connection.id) }
        if let userID = connection.identity?.userID { await liveActions.noteConnectionEnd(of: userID) }
    }

    // MARK: - Reports

    /// Answers `report`, for one promise or for all tracking promises.
    ///
    /// - Parameter noteSession: called with the session of the one promise.
    func report(
        _ request: WireReport,
        from caller: Caller,
        noteSession: @Sendable (PromiseSession) -> Void
    ) async throws -> Answer<WireContent> {
        guard request.fixes.count <= Report.fixLimit else { throw RequestError(.requestTooLarge, field: "fixes") }
        let report = try Report(request, device: caller.device, syncs: caller.syncs, receivedAt: caller.now)
        let receipt: ReportReceipt
        if request.hasPromiseID {
            let promiseID = try PromiseID(wire: request.promiseID, field: "promiseId")
            receipt = try await liveActions.report(report, from: caller.userID, in: promiseID, found: noteSession)
        } else {
            receipt = try await liveActions.reportToAll(report, from: caller.userID)
        }
        return .reply(.reported(WireReported(receipt)))
    }

    /// Passes a report to a session on the caller's lane.
    ///
    /// - Returns: nil, without any effect, if the session is not running.
    func begin(
        _ frame: ReportFrame,
        of userID: UserID,
        to session: PromiseSession,
        in context: RequestContext
    ) -> SessionStep? {
        let report = Report(
            device: context.device,
            fixes: frame.fixes,
            sent: frame.sent,
            syncs: context.syncs,
            receivedAt: context.receivedAt
        )
        let event = SessionEvent.report(from: userID, report)
        return session.entered(with: (event, context.receivedAt)) { session, begun in
            session.begin(begun.0, at: begun.1)
        }
    }

    /// Waits for the consequences of a report that a session has received.
    func complete(_ step: SessionStep, of session: PromiseSession) async throws(EngineError) -> ReportReceipt {
        try ReportReceipt(try await session.complete(step))
    }

    /// A session's reply to a report; nil if it is not available yet.
    func receipt(of step: SessionStep) throws(EngineError) -> ReportReceipt? {
        guard let outcome = try step.outcome else { return nil }
        return try ReportReceipt(outcome)
    }

    /// Answers `syncClock`, and stores the readings for the next reports on this connection.
    func syncClock(_ request: WireSyncClock, of connection: Connection, at now: Instant) throws -> Answer<WireContent> {
        connection.remember(ClockSync(readings: try ClockReadings(request), receivedAt: now))
        return .reply(.clock(WireClock(request, receivedAt: now, sentAt: clock.now)))
    }

    // MARK: - Signals and arrivals by hand

    func setSharing(_ request: WireSetSharing, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        try await liveActions.setSharing(in: id, on: request.on, by: caller.userID)
        return .done
    }

    /// Answers `setStatus`: absent fields keep their values; empty ones are cleared.
    func setStatus(_ request: WireSetStatus, from caller: Caller) async throws -> Answer<WireContent> {
        try await liveActions.setStatus(
            in: try PromiseID(wire: request.promiseID, field: "promiseId"),
            text: request.hasText ? request.text : nil,
            emoji: request.hasEmoji ? request.emoji : nil,
            by: caller.userID
        )
        return .done
    }

    func nudge(_ request: WireNudge, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let other = try UserID(wire: request.userID, field: "userId")
        try await liveActions.nudge(other, in: id, by: caller.userID)
        return .done
    }

    /// Answers `reportTrouble`, for one promise or for all tracking promises.
    func reportTrouble(_ request: WireReportTrouble, from caller: Caller) async throws -> Answer<WireContent> {
        guard let cause = PresenceCause(reported: request.cause) else {
            throw RequestError(.requestInvalid, field: "cause")
        }
        if request.hasBatteryPercent, !(0...100).contains(request.batteryPercent) {
            throw RequestError(.requestInvalid, field: "batteryPercent")
        }
        let id = request.hasPromiseID ? try PromiseID(wire: request.promiseID, field: "promiseId") : nil
        try await liveActions.reportTrouble(cause, of: caller.userID, in: id)
        return .done
    }

    /// Answers `checkIn`: by the latest position, or by a code.
    func checkIn(_ request: WireCheckIn, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let code = request.hasCode ? request.code : nil
        let (arrival, promise) = try await liveActions.checkIn(caller.userID, in: id, by: code, at: caller.now)
        return .reply(.arrival(WireArrival(arrival, of: promise)))
    }

    func checkInCode(_ request: WireGetCheckInCode, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let (code, expiresAt) = try await liveActions.checkInCode(of: id, for: caller.userID, at: caller.now)
        var reply = WireCheckInCode()
        reply.code = code
        reply.expiresAt = WireTimestamp(expiresAt)
        return .reply(.checkInCode(reply))
    }
}

extension PromiseEvent {
    /// `true` if the event contains the whole promise; others take a few hundred bytes, or a row per participant.
    fileprivate var holdsPromise: Bool {
        switch self {
        case .invited, .edited, .resultFinal: true
        default: false
        }
    }
}

extension ResumePoint {
    /// The last event that the client has; nil without an epoch.
    fileprivate init?(_ request: WireSubscribe) {
        guard request.hasEpoch, !request.epoch.isEmpty else { return nil }
        self.init(epoch: request.epoch, lastSeq: Int(request.lastSeq))
    }
}
