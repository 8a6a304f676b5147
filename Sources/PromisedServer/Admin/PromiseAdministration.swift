internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// What administrators see of promises and do to them: nothing that the owner may not do.
///
/// What goes through a promise's session is durable with its own events; its row in the audit follows in a transaction of
/// its own, before the reply.
struct PromiseAdministration: Sendable {
    /// An edit of whatever version is tried so often when others edit at the same time.
    private static let editAttempts = 3

    let store: Store
    let users: UserAdministration
    let promises: PromiseRequests
    let changes: ChangeRequests
    let results: ResultRequests
    let replies: PromiseReplies

    /// Answers `listPromises`; a page ends early rather than exceed a frame.
    func list(_ request: WireAdminListPromises, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { PromiseCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let user = request.hasUserID ? try await users.knownID(request.userID, at: caller.now) : nil
        let status = try status(request.status)
        let page = try await RequestError.stored { () async throws(StoreError) in
            try await store.promises(of: user, with: status, at: caller.now, after: cursor, limit: limit)
        }
        var room = FrameRoom(frameLimit: promises.frameLimit, for: caller.connection)
        let (listed, next) = room.fill(with: page, cursor: \.cursor) { item in
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
        return .promises(reply)
    }

    /// Answers `showPromise`: with everything that any participant may see.
    func show(_ request: WireGetPromise) async throws(RequestError) -> AdminReply {
        let view = try await view(of: try RequestError.promiseID(request.promiseID))
        return .promise(WirePromiseReply(WirePromise(view, detail: .live, card: replies.cards.card)))
    }

    /// Answers `createPromise`, as if its owner had asked.
    func create(_ request: WireAdminCreatePromise, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let owner = try await users.livingID(request.ownerID, field: "ownerId", at: caller.now)
        let audit = caller.audit("createPromise", detail: "owner \(owner)")
        return reply(try await promises.create(request.promise, from: caller.acting(as: owner, audit: audit)))
    }

    /// Answers `editPromise`, as if the owner had asked; version 0 is whatever it is now.
    func edit(_ request: WireUpdatePromise, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.promiseID(request.promiseID)
        let edited = try await edit(id, request, from: caller, attempts: Self.editAttempts)
        try await record(caller.audit("editPromise", of: id.wireText, detail: request.changedFields))
        return reply(edited)
    }

    /// Answers `cancelPromise`, as if the owner had asked.
    func cancel(_ request: WireCancelPromise, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.promiseID(request.promiseID)
        let owner = try await view(of: id).promise.ownerID
        let cancelled = try await promises.cancel(request, from: caller.acting(as: owner))
        try await record(caller.audit("cancelPromise", of: id.wireText))
        return reply(cancelled)
    }

    /// Answers `getResult`.
    func result(_ request: WireGetResult, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let owner = try await view(of: try RequestError.promiseID(request.promiseID)).promise.ownerID
        return reply(try await results.getResult(request, from: caller.acting(as: owner)))
    }

    /// Answers `explainArrival`, with all that the person themself is shown.
    func explain(_ request: WireExplainArrival, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let user = try await participant(request.userID, in: request.promiseID)
        return reply(try await results.explain(request, from: caller.acting(as: user), isCounted: false))
    }

    /// Answers `excuse`, as if the owner had asked.
    func excuse(_ request: WireExcuse, from caller: AdminCaller) async throws(RequestError) -> AdminReply? {
        let id = try RequestError.promiseID(request.promiseID)
        _ = try await participant(request.userID, in: request.promiseID)
        let owner = try await view(of: id).promise.ownerID
        let excused = try await results.excuse(request, from: caller.acting(as: owner))
        try await record(caller.audit("excuse", of: id.wireText, detail: request.userID))
        return reply(excused)
    }

    // MARK: - Parts

    /// The promise as it stands, without bringing one to life that there is not.
    ///
    /// - Throws: `promise.not-found`.
    func view(of id: PromiseID) async throws(RequestError) -> SessionView {
        try await requireKnown(id)
        return try await replies.wholeView(of: id)
    }

    /// - Throws: `promise.not-found`.
    func requireKnown(_ id: PromiseID) async throws(RequestError) {
        let isKnown = try await RequestError.stored { () async throws(StoreError) in try await store.knows(id) }
        guard isKnown else { throw RequestError(.promiseNotFound, field: "promiseId") }
    }

    private func edit(
        _ id: PromiseID,
        _ request: WireUpdatePromise,
        from caller: AdminCaller,
        attempts: Int
    ) async throws(RequestError) -> WireContent? {
        let promise = try await view(of: id).promise
        var asked = request
        if request.version == 0 { asked.version = UInt32(clamping: promise.version) }
        do throws(RequestError) {
            return try await changes.update(asked, from: caller.acting(as: promise.ownerID))
        } catch {
            guard error.code == .promiseStaleVersion, request.version == 0, attempts > 1 else { throw error }
        }
        return try await edit(id, request, from: caller, attempts: attempts - 1)
    }

    /// The id of somebody who has or had a part in a promise.
    ///
    /// - Throws: `user.not-found`, `promise.not-found`, `request.invalid`.
    private func participant(_ user: String, in promise: String) async throws(RequestError) -> UserID {
        let id = try RequestError.userID(user)
        let view = try await view(of: try RequestError.promiseID(promise))
        guard view.members.contains(where: { $0.participant.userID == id }) else {
            throw RequestError(.userNotFound, field: "userId")
        }
        return id
    }

    private func status(_ wire: WirePromiseStatus.Value) throws(RequestError) -> PromiseStatus? {
        switch wire {
        case .unspecified: return nil
        case .UNRECOGNIZED: throw RequestError(.requestInvalid, field: "status")
        case .scheduled, .tracking, .settling, .final, .cancelled: return PromiseStatus(wire)
        }
    }

    private func record(_ entry: AuditEntry) async throws(RequestError) {
        try await RequestError.stored { () async throws(StoreError) in try await store.record(entry) }
    }

    /// The same reply as users get, as a form's.
    private func reply(_ content: WireContent?) -> AdminReply? {
        switch content {
        case .promise(let promise): .promise(promise)
        case .result(let result): .result(result)
        case .explanation(let explanation): .explanation(explanation)
        default: nil
        }
    }
}

extension WireUpdatePromise {
    /// The names of the fields that are asked to change, for people.
    fileprivate var changedFields: String {
        let fields = [
            ("title", hasTitle), ("note", hasNote), ("place", hasPlace), ("meetsAt", hasMeetsAt),
            ("radiusMetres", hasRadiusMetres), ("penalty", hasPenalty), ("invite", !invite.isEmpty),
            ("remove", !remove.isEmpty),
        ]
        return fields.filter(\.1).map(\.0).joined(separator: ", ")
    }
}
