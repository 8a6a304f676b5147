internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// Promises as they happen, and the positions that are kept of them.
struct WatchAdministration: Sendable {
    /// At most so many positions on a page.
    static let positionsPerPage = 500

    let promises: PromiseAdministration
    let live: LiveRequests
    let archive: StoreArchive

    /// Answers `watchPromise`. The reply is sent from inside the session, so that no event overtakes it.
    func watch(_ request: WireAdminWatchPromise, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.promiseID(request.promiseID)
        try await promises.requireKnown(id)
        let watcher = caller.connection.subscriberID
        try await live.registry.requested(id) { session throws(EngineError) in
            try await session.watch(watcher) { subscription in send(subscription, to: caller) }
        }
        if caller.connection.note(subscriptionTo: id) { await live.forget(caller.connection) }
        return nil
    }

    /// Answers `unwatchPromise`, also when there was nothing to end.
    func unwatch(_ request: WireUnsubscribe, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        _ = try await live.unsubscribe(request, of: caller.connection)
        return .done(WireAdminDone())
    }

    /// Answers `exportPositions`.
    func export(_ request: WireAdminExportPositions) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.promiseID(request.promiseID)
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { FixCursor($0) }
        let limit = request.hasLimit ? Int(request.limit) : Self.positionsPerPage
        guard limit >= 1 else { throw RequestError(.requestInvalid, field: "limit") }
        try await promises.requireKnown(id)
        let fixes = try await RequestError.stored { () async throws(StoreError) in try await archive.fixes(in: id) }
        let all = NumberedFix.number(fixes)
        let rest = cursor.map { cursor in Array(all.drop { $0.cursor <= cursor }) } ?? all
        let page = rest.prefix(min(limit, Self.positionsPerPage))
        var reply = WireAdminPositions()
        reply.positions = page.map { WireAdminPosition($0) }
        reply.cursor = page.count < rest.count ? page.last?.cursor.description ?? "" : ""
        return .positions(reply)
    }

    private func send(_ subscription: Subscription, to caller: AdminCaller) {
        guard caller.requestID != 0 else { return }
        var watching = WireSubscribed()
        watching.epoch = subscription.view.promise.epoch
        watching.seq = UInt32(clamping: subscription.view.lastSeq)
        watching.snapshot = WirePromise(subscription.view, detail: .live, card: live.cards.card)
        var reply = WireAdminReply()
        reply.watching = watching
        live.sender.send(WireServerFrame(id: caller.requestID, content: .admin(reply)), to: caller.connection)
    }
}

/// A kept position with the number of its device.
struct NumberedFix {
    /// Whose, and where among theirs.
    let cursor: FixCursor
    /// The position.
    let fix: SettledFix

    /// Positions by user, device, time and number; a user's devices are numbered from 1 as the server came to know them.
    static func number(_ fixes: [ArchivedFix]) -> [NumberedFix] {
        var devices: [UserID: [DeviceKey: Int]] = [:]
        let numbered = fixes.sorted { ($0.fix.receivedAt, $0.fix.seq) < ($1.fix.receivedAt, $1.fix.seq) }.map { kept in
            let known = devices[kept.userID]?[kept.device]
            let device = known ?? (devices[kept.userID]?.count ?? 0) + 1
            devices[kept.userID, default: [:]][kept.device] = device
            let cursor = FixCursor(userID: kept.userID, device: device, time: kept.fix.time, seq: kept.fix.seq)
            return NumberedFix(cursor: cursor, fix: kept.fix)
        }
        return numbered.sorted { $0.cursor < $1.cursor }
    }
}

extension WireAdminPosition {
    /// A position as it is shown.
    init(_ numbered: NumberedFix) {
        self.init()
        userID = numbered.cursor.userID.wireText
        device = UInt32(clamping: numbered.cursor.device)
        fix = WireFix(
            Fix(
                seq: numbered.fix.seq,
                coordinate: numbered.fix.coordinate,
                accuracyMetres: numbered.fix.accuracyMetres,
                speedMps: numbered.fix.speedMps,
                isMock: numbered.fix.isMock
            )
        )
        fixTime = WireTimestamp(numbered.fix.time)
        receivedAt = WireTimestamp(numbered.fix.receivedAt)
        clockMoved = numbered.fix.isClockMoved
    }
}
