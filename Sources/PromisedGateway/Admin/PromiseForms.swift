internal import Crypto
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The administrators' forms for promises, mostly on behalf of the owner.
struct PromiseForms: Sendable {
    /// The largest number of positions on a page.
    static let positionsPerPage = 500

    let administration: PromiseAdministration
    let users: AccountAdministration
    let promises: PromiseRequests
    let results: ResultRequests
    let live: LiveRequests

    /// Answers `listPromises`; a page that would exceed a frame ends early.
    func list(_ request: WireAdminListPromises, from caller: AdminCaller) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { PromiseCursor($0) }
        let user = request.hasUserID ? try UserID(wire: request.userID, field: "userId") : nil
        if let user { _ = try await users.account(user, at: caller.now) }
        let page = try await administration.list(
            of: user,
            with: try status(request.status),
            after: asked.cursor,
            limit: asked.limit,
            at: caller.now
        )
        var capacity = FrameCapacity(caller.frame)
        let (listed, next) = capacity.fill(with: page, cursor: \.cursor) { item in
            WirePromise(
                item.promise,
                status: item.promise.status(at: caller.now),
                participants: [],
                participantCount: item.participantCount
            )
        }
        var reply = WirePromises()
        reply.promises = listed
        reply.cursor = next?.description ?? ""
        return .reply(.promises(reply))
    }

    /// Answers `showPromise`: with everything that any participant may see.
    func show(_ request: WireGetPromise) async throws -> AdminAnswer {
        let (view, cards) = try await administration.show(try PromiseID(wire: request.promiseID, field: "promiseId"))
        return .reply(.promise(WirePromiseReply(WirePromise(view, detail: .live, card: cards.card))))
    }

    func create(_ request: WireAdminCreatePromise, from caller: AdminCaller) async throws -> AdminAnswer {
        let owner = try UserID(wire: request.ownerID, field: "ownerId")
        try await users.requireLiving(owner, field: "ownerId")
        let spans = promises.promises.spans
        let draft = try PromiseDraft(request.promise, by: owner, grace: promises.grace, spans: spans)
        let audit = caller.audit("createPromise", detail: "owner \(owner)")
        let shown = try await promises.promises.create(draft, by: owner, at: caller.now, audit: audit)
        await promises.outlooks.noteMeeting(of: shown.view.promise)
        return answer(shown)
    }

    /// Answers `editPromise`; version 0 means the current version.
    func edit(_ request: WireUpdatePromise, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        _ = try await administration.show(id)
        let audit = caller.audit("editPromise", of: id.wireText, detail: request.changedFields)
        let shown = try await administration.edit(id, try PromiseEdit(request), audit: audit)
        await promises.outlooks.noteMeeting(of: shown.view.promise)
        return answer(shown)
    }

    func cancel(_ request: WireCancelPromise, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let audit = caller.audit("cancelPromise", of: id.wireText)
        return answer(try await administration.cancel(id, because: request.reason, audit: audit))
    }

    func result(_ request: WireGetResult) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return .reply(.result(WireResult(try await results.results.result(of: id))))
    }

    /// Answers `explainArrival`, with everything that the participant sees.
    func explain(_ request: WireExplainArrival, from caller: AdminCaller) async throws -> AdminAnswer {
        .reply(
            .explanation(
                try await results.explanation(request, for: .administrator, of: caller.subscriber, in: caller.frame)
            )
        )
    }

    func excuse(_ request: WireExcuse, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let userID = try UserID(wire: request.userID, field: "userId")
        let audit = caller.audit("excuse", of: id.wireText, detail: request.userID)
        let shown = try await administration.excuse(userID, in: id, because: request.reason, audit: audit)
        return .reply(.result(WireResult(shown)))
    }

    // MARK: - Watching

    /// Answers `watchPromise`. The reply is sent from inside the session, so that no event overtakes it.
    func watch(
        _ request: WireAdminWatchPromise,
        on connection: Connection,
        id requestID: UInt32
    ) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        try await live.liveActions.watch(connection.id, id) { subscription in
            send(subscription, to: connection.id, id: requestID)
        }
        if connection.note(subscriptionTo: id) { await live.forget(connection) }
        return .sent
    }

    /// Answers `unwatchPromise`, also without a subscription.
    func unwatch(_ request: WireUnsubscribe, on connection: Connection) async throws -> AdminAnswer {
        try await live.unsubscribe(connection, from: try PromiseID(wire: request.promiseID, field: "promiseId"))
        return .done
    }

    private func send(_ subscription: Subscription, to connection: SubscriberID, id: UInt32) {
        guard id != 0 else { return }
        var watching = WireSubscribed()
        watching.epoch = subscription.view.promise.epoch
        watching.seq = UInt32(clamping: subscription.view.lastSeq)
        watching.snapshot = WirePromise(subscription.view, detail: .live, card: live.cards.card)
        var reply = WireAdminReply()
        reply.watching = watching
        live.sender.send(WireServerFrame(id: id, content: .admin(reply)), to: connection)
    }

    func export(_ request: WireAdminExportPositions) async throws -> AdminAnswer {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let asked = try PageRequest(request, largest: Self.positionsPerPage) { FixCursor($0) }
        let page = try await results.results.positions(in: id, after: asked.cursor, limit: asked.limit)
        var reply = WireAdminPositions()
        reply.positions = page.items.map { WireAdminPosition($0, in: id) }
        reply.cursor = page.next?.description ?? ""
        return .reply(.positions(reply))
    }

    // MARK: - Parts

    private func status(_ wire: WirePromiseStatus.Value) throws -> PromiseStatus? {
        switch wire {
        case .unspecified: return nil
        case .UNRECOGNIZED: throw RequestError(.requestInvalid, field: "status")
        case .scheduled, .tracking, .settling, .final, .cancelled: return PromiseStatus(wire)
        }
    }

    private func answer(_ shown: ShownPromise) -> AdminAnswer { .reply(.promise(WirePromiseReply(shown))) }
}

extension WireUpdatePromise {
    /// The names of the fields to change, for people.
    fileprivate var changedFields: String {
        let fields = [
            ("title", hasTitle), ("note", hasNote), ("place", hasPlace), ("meetsAt", hasMeetsAt),
            ("radiusMetres", hasRadiusMetres), ("penalty", hasPenalty), ("invite", !invite.isEmpty),
            ("remove", !remove.isEmpty), ("preview", preview != .unspecified),
        ]
        return fields.filter(\.1).map(\.0).joined(separator: ", ")
    }
}

extension WireAdminPosition {
    /// A position of a promise in its wire form.
    init(_ kept: ArchivedFix, in promise: PromiseID) {
        self.init()
        userID = kept.userID.wireText
        device = kept.deviceNumber(in: promise)
        fix = WireFix(
            Fix(
                seq: kept.fix.seq,
                coordinate: kept.fix.coordinate,
                accuracyMetres: kept.fix.accuracyMetres,
                speedMps: kept.fix.speedMps,
                isMock: kept.fix.isMock
            )
        )
        fixTime = WireTimestamp(kept.fix.time)
        receivedAt = WireTimestamp(kept.fix.receivedAt)
        clockMoved = kept.fix.isClockMoved
        otherClock = kept.fix.isOfOtherClock
    }
}

extension ArchivedFix {
    /// A number that distinguishes a user's devices and boots in a promise, the same on every page: a 32-bit hash,
    /// which does not reveal the id. Two of ten devices collide once in 100 million cases.
    fileprivate func deviceNumber(in promise: PromiseID) -> UInt32 {
        let length = device.deviceID.utf8.count
        let name = "\(promise.wireText) \(userID.wireText) \(length) \(device.deviceID) \(device.bootID)"
        return SHA256.hash(data: Array(name.utf8)).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
