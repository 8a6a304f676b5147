internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// What happens while people are on their way: subscribe, report, the clocks, the result.
struct LiveRequests: Sendable {
    let registry: SessionRegistry
    let clock: any WallClock
    let sender: Sender
    let cards: CardBook
    /// The time between two reports of one participant.
    let interval: TimeSpan

    /// Answers `subscribe`. The reply is sent from inside the session, so that no event overtakes it.
    ///
    /// It is a snapshot whatever the client knows already, which the protocol allows and every client must take.
    func subscribe(
        _ request: WireSubscribe,
        from caller: Caller,
        id: UInt32
    ) async throws(RequestError) -> WireContent? {
        let promiseID = try RequestError.promiseID(request.promiseID)
        let connection = caller.connection
        let subscriber = SubscriberID(rawValue: connection.id.rawValue)
        try await session(promiseID) { session throws(EngineError) in
            try await session.subscribe(subscriber, of: caller.userID) { view, nextReport in
                guard id != 0 else { return }
                let detail = ParticipantDetail.live(interval: interval, at: clock.now)
                var reply = WireSubscribed()
                reply.epoch = view.promise.epoch
                reply.seq = UInt32(clamping: view.lastSeq)
                reply.snapshot = WirePromise(view, detail: detail, card: cards.card)
                reply.nextReportMs = nextReport.map { max(1, $0.wireMs) } ?? 0
                sender.send(WireServerFrame(id: id, content: .subscribed(reply)), to: connection)
            }
        }
        let isGone = connection.state.withLock { state in
            state.subscriptions.insert(promiseID)
            return state.isClosed
        }
        if isGone { await forget(connection) }
        return nil
    }

    /// Answers `unsubscribe`, also when there was nothing to end.
    func unsubscribe(_ request: WireUnsubscribe, from caller: Caller) async throws(RequestError) -> WireContent? {
        let promiseID = try RequestError.promiseID(request.promiseID)
        let wasSubscribed = caller.connection.state.withLock { $0.subscriptions.remove(promiseID) != nil }
        if wasSubscribed { await unsubscribe(caller.connection, from: promiseID) }
        return .done(WireDone())
    }

    /// Ends all subscriptions of a connection that is gone.
    func forget(_ connection: Connection) async {
        let subscriptions = connection.state.withLock { state in
            defer { state.subscriptions = [] }
            return state.subscriptions
        }
        for promiseID in subscriptions { await unsubscribe(connection, from: promiseID) }
    }

    private func unsubscribe(_ connection: Connection, from promiseID: PromiseID) async {
        guard let session = await registry.liveSession(of: promiseID) else { return }
        await session.unsubscribe(SubscriberID(rawValue: connection.id.rawValue))
    }

    /// Answers `syncClock` and remembers the readings for the next reports of this connection.
    func syncClock(_ request: WireSyncClock, from caller: Caller) throws(RequestError) -> WireContent? {
        do {
            caller.connection.remember(ClockSync(readings: try ClockReadings(request), receivedAt: caller.now))
        } catch {
            throw RequestError(error)
        }
        return .clock(WireClock(request, receivedAt: caller.now, sentAt: clock.now))
    }

    /// Answers `report`, for one promise or for all that are tracking.
    func report(_ request: WireReport, from caller: Caller) async throws(RequestError) -> WireContent? {
        guard request.fixes.count <= Report.fixLimit else { throw RequestError(.requestTooLarge, field: "fixes") }
        let (device, syncs) = caller.connection.state.withLock { ($0.device, $0.syncs) }
        let report = try RequestError.wrap { () throws(WireError) in
            try Report(request, device: device, syncs: syncs)
        }
        guard request.hasPromiseID else { return .reported(try await reportToAll(report, from: caller)) }
        let promiseID = try RequestError.promiseID(request.promiseID)
        let receipt = try await session(promiseID) { session throws(EngineError) in
            try await self.receipt(of: report, from: caller.userID, in: session)
        }
        return .reported(WireReported(receipt))
    }

    /// A report without a promise goes to all that are tracking or settling; what one of them takes is taken.
    private func reportToAll(_ report: Report, from caller: Caller) async throws(RequestError) -> WireReported {
        var merged: ReportReceipt?
        var refusal: EngineError?
        for session in await registry.sessions(of: caller.userID) {
            do throws(EngineError) {
                let receipt = try await receipt(of: report, from: caller.userID, in: session)
                if merged == nil { merged = receipt } else { merged?.merge(receipt) }
            } catch .refused(.positionOutsideWindow), .retired {
                // One that has not opened yet, or is over: not asked for.
                continue
            } catch {
                refusal = error
            }
        }
        if let merged { return WireReported(merged) }
        if let refusal { throw RequestError(refusal) }
        throw RequestError(.positionOutsideWindow)
    }

    private func receipt(
        of report: Report,
        from userID: UserID,
        in session: PromiseSession
    ) async throws(EngineError) -> ReportReceipt {
        switch try await session.perform(.report(from: userID, report)) {
        case .reported(let receipt): return receipt
        case .refused(let refusal): throw .refused(refusal)
        case .done: return ReportReceipt()
        }
    }

    /// Answers `getResult`: for those who have a row, and for accepted participants while there is none yet.
    func getResult(_ request: WireGetResult, from caller: Caller) async throws(RequestError) -> WireContent? {
        let promiseID = try RequestError.promiseID(request.promiseID)
        let view = try await session(promiseID) { session throws(EngineError) in try await session.view() }
        let mine = view.members.first { $0.participant.userID == caller.userID }?.participant
        guard let mine, mine.membership == .accepted || mine.tookPart(from: view.promise.opensAt) else {
            throw RequestError(.promiseNotFound)
        }
        guard let result = view.result else {
            throw RequestError(view.promise.cancelledAt == nil ? .resultNotFinal : .promiseClosed)
        }
        return .result(WireResult(result, card: cards.card))
    }

    private func session<Value: Sendable>(
        _ id: PromiseID,
        _ body: @Sendable (PromiseSession) async throws(EngineError) -> Value
    ) async throws(RequestError) -> Value {
        try await registry.requested(id, body)
    }
}

extension ReportReceipt {
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
