internal import Crypto
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The requests for promises, invite codes and view links (domain §4).
struct PromiseRequests: Sendable {
    let promises: Promises
    let invites: Invites
    let links: ViewLinks
    let outlooks: Outlooks
    /// The default grace of a promise.
    let grace: TimeSpan

    func create(_ request: WireCreatePromise, from caller: Caller) async throws -> Answer<WireContent> {
        let draft = try PromiseDraft(request, by: caller.userID, grace: grace, spans: promises.spans)
        return await answer(try await promises.create(draft, by: caller.userID, at: caller.now), to: caller)
    }

    /// Answers `updatePromise`; the reply reports overlaps if the time was moved.
    func update(_ request: WireUpdatePromise, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return await answer(try await promises.edit(id, try PromiseEdit(request), by: caller.userID), to: caller)
    }

    func respond(_ request: WireRespond, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return await answer(try await promises.respond(id, accept: request.accept, by: caller.userID), to: caller)
    }

    func leave(_ request: WireLeavePromise, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return await answer(try await promises.leave(id, by: caller.userID), to: caller)
    }

    func cancel(_ request: WireCancelPromise, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return await answer(try await promises.cancel(id, because: request.reason, by: caller.userID), to: caller)
    }

    func handOver(_ request: WireHandOver, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let heir = try UserID(wire: request.userID, field: "userId")
        return await answer(try await promises.handOver(id, to: heir, by: caller.userID), to: caller)
    }

    func get(_ request: WireGetPromise, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        return await answer(try await promises.show(id, to: caller.userID), to: caller)
    }

    /// Answers `listPromises`: a page of promises, each with the caller's participation and the number of participants.
    func list(_ request: WireListPromises, from caller: Caller) async throws -> Answer<WireContent> {
        guard let list = PromiseList(request.list) else { throw RequestError(.requestInvalid, field: "list") }
        let asked = try PageRequest(request) { PromiseCursor($0) }
        let (page, card) = try await promises.list(
            list,
            of: caller.userID,
            after: asked.cursor,
            limit: asked.limit,
            at: caller.now
        )
        var capacity = FrameCapacity(caller.frame)
        let (listed, next) = capacity.fill(with: page, cursor: \.cursor) { item in
            WirePromise(
                item.promise,
                status: item.promise.status(at: caller.now),
                participants: [WireParticipant(item.participant, card: card)],
                participantCount: item.participantCount
            )
        }
        var reply = WirePromises()
        reply.promises = listed
        reply.cursor = next?.description ?? ""
        return .reply(.promises(reply))
    }

    // MARK: - Codes

    func createInvite(_ request: WireCreateInvite, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let (code, expiresAt) = try await invites.create(
            to: id,
            by: caller.userID,
            expiringIn: request.hasExpiresInMs ? request.expiresInMs : nil,
            at: caller.now
        )
        var reply = WireInvite()
        reply.code = code
        if let expiresAt { reply.expiresAt = WireTimestamp(expiresAt) }
        return .reply(.invite(reply))
    }

    /// Answers `revokeInvite`, even without a code.
    func revokeInvite(_ request: WireRevokeInvite, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        try await invites.revoke(to: id, by: caller.userID)
        return .done
    }

    func join(_ request: WireJoinByCode, from caller: Caller) async throws -> Answer<WireContent> {
        await answer(try await invites.join(by: request.code, caller.userID, at: caller.now), to: caller)
    }

    func createLink(_ request: WireCreateViewLink, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        let (code, endsAt) = try await links.create(
            to: id,
            by: caller.userID,
            expiringIn: request.hasExpiresInMs ? request.expiresInMs : nil,
            at: caller.now
        )
        return .reply(.viewLink(WireViewLink(code: code, endsAt: endsAt)))
    }

    /// Answers `revokeViewLink`, even without a link.
    func revokeLink(_ request: WireRevokeViewLink, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        try await links.revoke(to: id, by: caller.userID)
        return .done
    }

    func setLinkSharing(_ request: WireSetLinkSharing, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PromiseID(wire: request.promiseID, field: "promiseId")
        try await links.setSharing(in: id, on: request.on, by: caller.userID)
        return .done
    }

    private func answer(_ shown: ShownPromise, to caller: Caller) async -> Answer<WireContent> {
        // A user who is no longer in the promise gets no new data about it.
        let isIn = shown.standing.isAccepted || shown.standing.part == .invited
        let outlook = isIn ? await outlooks.known(of: shown.view.promise, for: caller.userID) : nil
        return .reply(.promise(WirePromiseReply(shown, outlook: outlook)))
    }
}

extension WirePromiseReply {
    /// A promise as shown to a user: with live data only if the user has accepted.
    init(_ shown: ShownPromise, outlook: PlaceOutlook? = nil) {
        let detail: ParticipantDetail = shown.standing.isAccepted ? .live : .membership
        let overlaps = shown.overlaps.map { WireOverlap($0) }
        self.init(WirePromise(shown.view, detail: detail, card: shown.cards.card), overlaps: overlaps, outlook: outlook)
    }
}

extension PromiseDraft {
    /// The validated content of a request.
    ///
    /// - Parameter grace: the default grace of a promise.
    /// - Throws: the errors of ``PromisedApplication/PromiseDraft``, and `WireError` for fields that can't be read.
    init(_ request: WireCreatePromise, by owner: UserID, grace: TimeSpan, spans: WindowSpans) throws {
        let courseID = request.hasCourseID ? try CourseID(wire: request.courseID, field: "courseId") : nil
        try self.init(
            key: request.key,
            title: request.title,
            note: request.note,
            place: request.hasPlace ? try Place(inside: "place", request.place) : nil,
            meetsAt: request.hasMeetsAt ? try Instant(wire: request.meetsAt, field: "meetsAt") : nil,
            radiusMetres: request.hasRadiusMetres ? Int(request.radiusMetres) : nil,
            penalty: request.hasPenalty ? try Penalty(inside: "penalty", request.penalty) : nil,
            rule: ArrivalRule(request.rule, defaults: ArrivalRule(grace: grace)),
            inviteeIDs: try UserID.list(wire: request.inviteeIds, field: "inviteeIds"),
            by: owner,
            spans: spans
        )
        self.courseID = courseID
        preview = PromisePreview(request.preview) ?? preview
        contentHash = try hash()
    }

    /// A hash of the request without its key, for storage.
    private func hash() throws(WireError) -> [UInt8] {
        var content = WireCreatePromise()
        content.title = title
        content.note = note
        content.place = WirePlace(place)
        content.meetsAt = WireTimestamp(meetsAt)
        content.radiusMetres = Int32(clamping: radiusMetres)
        if let penalty { content.penalty = WirePenalty(penalty) }
        content.rule = WireRule(rule)
        content.inviteeIds = inviteeIDs.sorted().map(\.wireText)
        if let courseID { content.courseID = courseID.wireText }
        // Requests of earlier versions, without the field, keep their hash.
        if preview != .time { content.preview = WirePromisePreview.Value(preview) }
        // Fields are written in the order of their numbers, so equal content has equal bytes.
        let frame = WireClientFrame(id: 0, request: .createPromise(content))
        return Array(SHA256.hash(data: try WireCodec.protobuf.encode(frame)))
    }
}

extension PromiseEdit {
    /// The validated content of a request.
    init(_ request: WireUpdatePromise) throws {
        var course: CourseChoice?
        if request.hasCourseID {
            course =
                request.courseID.isEmpty
                ? .nothing : .course(try CourseID(wire: request.courseID, field: "courseId"))
        }
        try self.init(
            version: Int(request.version),
            title: request.hasTitle ? request.title : nil,
            note: request.hasNote ? request.note : nil,
            place: request.hasPlace ? try Place(inside: "place", request.place) : nil,
            meetsAt: request.hasMeetsAt ? try Instant(wire: request.meetsAt, field: "meetsAt") : nil,
            radiusMetres: request.hasRadiusMetres ? Int(request.radiusMetres) : nil,
            penalty: request.hasPenalty ? try Penalty(inside: "penalty", request.penalty) : nil,
            invite: try UserID.list(wire: request.invite, field: "invite"),
            remove: try UserID.list(wire: request.remove, field: "remove")
        )
        self.course = course
        preview = PromisePreview(request.preview)
    }
}

extension Place {
    init(inside field: String, _ wire: WirePlace) throws(WireError) {
        self = try WireError.inside(field) { () throws(WireError) in try Place(wire) }
    }
}

extension Penalty {
    fileprivate init(inside field: String, _ wire: WirePenalty) throws(WireError) {
        self = try WireError.inside(field) { () throws(WireError) in try Penalty(wire) }
    }
}

extension PromiseList {
    fileprivate init?(_ wire: WirePromiseList.Value) {
        switch wire {
        case .upcoming: self = .upcoming
        case .tracking: self = .tracking
        case .past: self = .past
        case .invited: self = .invited
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
