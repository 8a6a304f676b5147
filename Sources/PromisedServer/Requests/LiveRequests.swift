internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedTransport
internal import PromisedWire

/// What happens while people are on their way: subscribe, report, the clocks, the result.
struct LiveRequests: Sendable {
    let replies: PromiseReplies
    let registry: SessionRegistry
    let clock: any WallClock
    let sender: Sender
    let cards: CardBook

    /// Answers `subscribe`. The reply is sent from inside the session, so that no event overtakes it.
    func subscribe(
        _ request: WireSubscribe,
        from caller: Caller,
        id: UInt32
    ) async throws(RequestError) -> WireContent? {
        let promiseID = try RequestError.promiseID(request.promiseID)
        guard request.epoch.utf8.count <= TextWeight.name else { throw RequestError(.requestInvalid, field: "epoch") }
        let connection = caller.connection
        let subscriber = connection.subscriberID
        try await requirePart(of: caller.userID, in: promiseID)
        try await session(promiseID) { session throws(EngineError) in
            try await session.subscribe(subscriber, of: caller.userID, since: ResumePoint(request)) { subscription in
                guard id != 0 else { return }
                answer(id, with: subscription, on: connection)
            }
        }
        if connection.note(subscriptionTo: promiseID) { await forget(connection) }
        return nil
    }

    /// Sends the events that the client missed where it can go on from them and they fit into a frame; else a snapshot.
    private func answer(_ id: UInt32, with subscription: Subscription, on connection: Connection) {
        var reply = WireSubscribed()
        reply.epoch = subscription.view.promise.epoch
        reply.seq = UInt32(clamping: subscription.view.lastSeq)
        reply.nextReportMs = subscription.nextReport.map { max(1, $0.wireMs) } ?? 0
        if let missed = missed(of: subscription, for: connection) {
            var told = reply
            told.missed = missed
            if sender.sendIfFitting(WireServerFrame(id: id, content: .subscribed(told)), to: connection) { return }
        }
        reply.snapshot = WirePromise(subscription.view, detail: .live, card: cards.card)
        sender.send(WireServerFrame(id: id, content: .subscribed(reply)), to: connection)
    }

    /// The events that were missed; nil when a snapshot must take their place. Events that hold the whole promise are
    /// measured one by one, and no more of them are made than fit; all others together are worth one attempt.
    private func missed(of subscription: Subscription, for connection: Connection) -> [WireEvent]? {
        guard let missed = subscription.missed else { return nil }
        var room = FrameRoom(frameLimit: sender.frameLimit, for: connection)
        var events: [WireEvent] = []
        events.reserveCapacity(missed.count)
        for numbered in missed {
            let event = WireEvent(numbered, in: subscription.view, card: cards.card)
            if numbered.event.holdsPromise {
                guard room.take(event) else { return nil }
            }
            events.append(event)
        }
        return events
    }

    /// Answers `unsubscribe`, also when there was nothing to end.
    func unsubscribe(
        _ request: WireUnsubscribe,
        of connection: Connection
    ) async throws(RequestError) -> WireContent? {
        let promiseID = try RequestError.promiseID(request.promiseID)
        if connection.forget(subscriptionTo: promiseID) { await unsubscribe(connection, from: promiseID) }
        return .done(WireDone())
    }

    /// Ends all subscriptions of a connection that is gone.
    func forget(_ connection: Connection) async {
        let subscriptions = connection.state.withLock { state in
            defer { state.subscriptions = [] }
            return state.subscriptions
        }
        for promiseID in subscriptions { await unsubscribe(connection, from: promiseID) }
        guard let userID = connection.identity?.userID else { return }
        for session in await registry.sessions(of: userID) { await session.noteConnectionEnd(of: userID) }
    }

    private func unsubscribe(_ connection: Connection, from promiseID: PromiseID) async {
        guard let session = await registry.liveSession(of: promiseID) else { return }
        await session.unsubscribe(connection.subscriberID)
    }

    /// Answers `syncClock` and remembers the readings for the next reports of this connection.
    func syncClock(
        _ request: WireSyncClock,
        of connection: Connection,
        at now: Instant
    ) throws(RequestError) -> WireContent? {
        do {
            connection.remember(ClockSync(readings: try ClockReadings(request), receivedAt: now))
        } catch {
            throw RequestError(error)
        }
        return .clock(WireClock(request, receivedAt: now, sentAt: clock.now))
    }

    /// Answers `report`, for one promise or for all that are tracking.
    func report(
        _ request: WireReport,
        from caller: Caller,
        in context: RequestContext
    ) async throws(RequestError) -> WireContent? {
        guard request.fixes.count <= Report.fixLimit else { throw RequestError(.requestTooLarge, field: "fixes") }
        let report = try RequestError.wrap { () throws(WireError) in
            try Report(request, device: context.device, syncs: context.syncs, receivedAt: context.receivedAt)
        }
        guard request.hasPromiseID else { return .reported(try await reportToAll(report, from: caller)) }
        let promiseID = try RequestError.promiseID(request.promiseID)
        try await requirePart(of: caller.userID, in: promiseID)
        let receipt = try await session(promiseID) { session throws(EngineError) in
            caller.connection.state.withLock { $0.reportedTo = session }
            return try ReportReceipt(try await session.perform(.report(from: caller.userID, report)))
        }
        return .reported(WireReported(receipt))
    }

    /// Hands a report to a session that lives where this is called.
    ///
    /// - Returns: nil when it is not running and nothing has happened.
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
        return session.entered(with: SessionEvent.report(from: userID, report)) { session, event in
            session.begin(event)
        }
    }

    /// Waits for what follows from a report that a session has.
    func complete(_ step: SessionStep, of session: PromiseSession) async throws(RequestError) -> ReportReceipt {
        do throws(EngineError) {
            return try ReportReceipt(try await session.complete(step))
        } catch {
            throw RequestError(error)
        }
    }

    /// What a session says of a report; nil while something of it must be waited for.
    func receipt(of step: SessionStep) throws(RequestError) -> ReportReceipt? {
        do throws(EngineError) {
            guard let outcome = try step.outcome else { return nil }
            return try ReportReceipt(outcome)
        } catch {
            throw RequestError(error)
        }
    }

    /// Who is known to be in a live session is let through at once; all others take the way that costs the same whether
    /// there is a promise or not.
    private func requirePart(of userID: UserID, in promiseID: PromiseID) async throws(RequestError) {
        if await registry.isLive(promiseID, for: userID) { return }
        try await replies.requirePart(of: userID, in: promiseID)
    }

    /// A report without a promise goes to all that are tracking or settling; what one of them takes is taken. As long as
    /// one of them could take it later it is refused whole: what the others took is a repeat when it comes again.
    private func reportToAll(_ report: Report, from caller: Caller) async throws(RequestError) -> WireReported {
        try await replies.requireAllSessions()
        var merged: ReportReceipt?
        var refusal: EngineError?
        var wait: TimeSpan?
        var isUnavailable = false
        for session in await registry.sessions(of: caller.userID) {
            do throws(EngineError) {
                let receipt = try ReportReceipt(try await session.perform(.report(from: caller.userID, report)))
                if merged == nil { merged = receipt } else { merged?.merge(receipt) }
            } catch .refused(.positionOutsideWindow), .retired {
                // One that has not opened yet, or is over: not asked for.
                continue
            } catch .refused(.tooManyFixes(let span)) {
                wait = max(wait ?? span, span)
            } catch .unavailable {
                isUnavailable = true
            } catch {
                refusal = error
            }
        }
        if let wait { throw RequestError(Refusal.tooManyFixes(retryAfter: wait)) }
        if isUnavailable { throw RequestError(EngineError.unavailable) }
        if let merged { return WireReported(merged) }
        if let refusal { throw RequestError(refusal) }
        throw RequestError(.positionOutsideWindow)
    }

    private func session<Value: Sendable>(
        _ id: PromiseID,
        _ body: @Sendable (PromiseSession) async throws(EngineError) -> Value
    ) async throws(RequestError) -> Value {
        try await registry.requested(id, body)
    }
}

extension PromiseEvent {
    /// Whether all of the promise is told with it; other events take a few hundred bytes, or a row for each participant.
    fileprivate var holdsPromise: Bool {
        switch self {
        case .invited, .edited, .resultFinal: true
        default: false
        }
    }
}

extension ResumePoint {
    /// What a client says it knows; nil without an epoch.
    init?(_ request: WireSubscribe) {
        guard request.hasEpoch, !request.epoch.isEmpty else { return nil }
        self.init(epoch: request.epoch, lastSeq: Int(request.lastSeq))
    }
}

extension ReportReceipt {
    /// What a session's reply to a report says.
    ///
    /// - Throws: `refused`.
    fileprivate init(_ reply: SessionReply) throws(EngineError) {
        switch reply {
        case .reported(let receipt): self = receipt
        case .refused(let refusal): throw .refused(refusal)
        case .done: self.init()
        }
    }

    /// Adds what another promise said to the same report: taken wherever one takes it; the sooner next report counts.
    mutating func merge(_ other: ReportReceipt) {
        let known = Set(taken)
        taken += other.taken.filter { !known.contains($0) }
        let takenByAny = Set(taken)
        rejected = (rejected + other.rejected.filter { new in !rejected.contains { $0.seq == new.seq } })
            .filter { !takenByAny.contains($0.seq) }
        if let mine = nextReport, let theirs = other.nextReport {
            nextReport = min(mine, theirs)
        } else {
            nextReport = nextReport ?? other.nextReport
        }
    }
}
