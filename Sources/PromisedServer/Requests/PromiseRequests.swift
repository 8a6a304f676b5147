internal import Crypto
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedStore
internal import PromisedWire

/// Promises from making to calling off (domain §4).
struct PromiseRequests: Sendable {
    let store: Store
    let engine: Engine
    let broadcaster: Broadcaster
    let cards: CardBook
    let clock: any WallClock
    let spans: WindowSpans
    let grace: TimeSpan
    let interval: TimeSpan
    /// How many bytes a page may have: a frame, less what its envelope needs.
    let pageBytes: Int

    /// Answers `createPromise`. The same key with the same content gives the promise as it is now.
    func create(_ request: WireCreatePromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let hash = try contentHash(of: request)
        let key = try PromiseDraft.clean(request.key, .creationKey)
        if let known = try await earlier(key: key, hash: hash, of: caller) {
            return try await reply(known, to: caller, withOverlaps: true)
        }
        let draft = try PromiseDraft(request, by: caller.userID, grace: grace, spans: spans, at: caller.now)
        try await requireFriends(draft.inviteeIDs, of: caller.userID)
        let promise = promise(from: draft, owner: caller)
        let events = draft.inviteeIDs.enumerated().map { index, userID in
            NumberedEvent(seq: index + 1, at: caller.now, event: .invited(userID))
        }
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.createPromise(
                promise,
                participants: participants(of: draft, owner: caller),
                events: events,
                key: draft.key,
                contentHash: hash,
                now: caller.now,
                openLimit: PromiseLimits.openPromises
            )
        }
        if let known = try existing(outcome) { return try await reply(known, to: caller, withOverlaps: true) }
        await engine.noteOpening(at: promise.opensAt)
        try await announce(events, of: promise.id)
        return try await reply(promise.id, to: caller, withOverlaps: true)
    }

    /// Answers `respond`.
    func respond(_ request: WireRespond, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await perform(.respond(caller.userID, accept: request.accept), on: id)
        return try await reply(id, to: caller, withOverlaps: request.accept, evenIfGone: true)
    }

    /// Answers `leavePromise`.
    func leave(_ request: WireLeavePromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await perform(.leave(caller.userID), on: id)
        return try await reply(id, to: caller, evenIfGone: true)
    }

    /// Answers `cancelPromise`.
    func cancel(_ request: WireCancelPromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let reason: String
        do throws(TextProblem) {
            reason = try TextRule.reason.clean(request.reason)
        } catch {
            throw RequestError(error)
        }
        try await perform(.cancel(by: caller.userID, reason: reason), on: id)
        return try await reply(id, to: caller)
    }

    /// Answers `getPromise`.
    func get(_ request: WireGetPromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        try await reply(try RequestError.promiseID(request.promiseID), to: caller)
    }

    /// Answers `listPromises`: a page of promises, each with the caller's own part and the number of participants.
    func list(_ request: WireListPromises, from caller: Caller) async throws(RequestError) -> WireContent? {
        guard let list = PromiseList(request.list) else { throw RequestError(.requestInvalid, field: "list") }
        let cursor = try PageRequest.cursor(request.hasCursor ? request.cursor : "") { PromiseCursor($0) }
        let limit = try PageRequest.limit(request.hasLimit ? request.limit : nil)
        let page = try await RequestError.stored { () async throws(StoreError) in
            try await store.promises(list, of: caller.userID, at: caller.now, after: cursor, limit: limit)
        }
        let me = try await RequestError.stored { () async throws(StoreError) in
            try await store.cards(of: [caller.userID])
        }
        let card = me[caller.userID] ?? UserCard(id: caller.userID, nickname: "", isDeleted: true)
        var reply = WirePromises()
        var room = pageBytes
        for item in page.items {
            let promise = WirePromise(
                item.promise,
                status: item.promise.status(at: caller.now),
                participants: [WireParticipant(item.participant, card: card)],
                participantCount: item.participantCount
            )
            room -= try size(of: promise, for: caller)
            // The page ends early rather than exceed a frame; the first promise always fits.
            guard room >= 0 || reply.promises.isEmpty else { return .promises(reply) }
            reply.promises.append(promise)
            reply.cursor = item.cursor.description
        }
        reply.cursor = page.next?.description ?? ""
        return .promises(reply)
    }

    private func size(of promise: WirePromise, for caller: Caller) throws(RequestError) -> Int {
        let frame = WireServerFrame(id: 1, content: .promise(WirePromiseReply(promise)))
        return try RequestError.wrap { () throws(WireError) in try caller.connection.codec.encode(frame) }.count
    }

    // MARK: - Making

    private func promise(from draft: PromiseDraft, owner: Caller) -> Promise {
        var generator = SystemRandomNumberGenerator()
        return Promise(
            id: PromiseID(at: owner.now, using: &generator),
            ownerID: owner.userID,
            title: draft.title,
            note: draft.note,
            place: draft.place,
            meetsAt: draft.meetsAt,
            radiusMetres: draft.radiusMetres,
            penalty: draft.penalty,
            rule: draft.rule,
            spans: spans,
            createdAt: owner.now,
            epoch: PromiseID(at: owner.now, using: &generator).description
        )
    }

    private func participants(of draft: PromiseDraft, owner: Caller) -> [Participant] {
        let mine = Participant(
            userID: owner.userID,
            membership: .accepted,
            invitedAt: owner.now,
            acceptedAt: owner.now
        )
        return [mine] + draft.inviteeIDs.map { Participant(userID: $0, membership: .invited, invitedAt: owner.now) }
    }

    private func requireFriends(_ users: [UserID], of userID: UserID) async throws(RequestError) {
        guard !users.isEmpty else { return }
        let friends = try await RequestError.stored { () async throws(StoreError) in
            try await store.areFriends(userID, users)
        }
        if let stranger = users.firstIndex(where: { !friends.contains($0) }) {
            throw RequestError(.promiseNotFriend, field: "inviteeIds[\(stranger)]")
        }
    }

    /// A request repeated within 24 hours must be answered even when its meeting time is too near by now.
    private func earlier(key: String, hash: [UInt8], of caller: Caller) async throws(RequestError) -> PromiseID? {
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.earlierCreation(by: caller.userID, key: key, contentHash: hash, now: caller.now)
        }
        return try outcome.flatMap { outcome throws(RequestError) in try existing(outcome) }
    }

    /// The promise that was made before; nil when this request made it.
    private func existing(_ outcome: PromiseCreation) throws(RequestError) -> PromiseID? {
        switch outcome {
        case .created: return nil
        case .existing(let id): return id
        case .keyReused: throw RequestError(.promiseKeyReused)
        case .limitReached: throw RequestError(.promiseLimit)
        }
    }

    private func contentHash(of request: WireCreatePromise) throws(RequestError) -> [UInt8] {
        let frame = WireClientFrame(id: 0, request: .createPromise(request))
        let bytes = try RequestError.wrap { () throws(WireError) in try WireCodec.protobuf.encode(frame) }
        return Array(SHA256.hash(data: bytes))
    }

    private func announce(_ events: [NumberedEvent], of id: PromiseID) async throws(RequestError) {
        guard !events.isEmpty else { return }
        let view = try await view(of: id)
        for event in events {
            guard case .invited(let userID) = event.event else { continue }
            broadcaster.deliver(.event(event, view), of: id, to: broadcaster.connections(of: userID))
        }
    }

    // MARK: - Answering

    private func perform(_ event: SessionEvent, on id: PromiseID) async throws(RequestError) {
        _ = try await engine.registry.requested(id) { session throws(EngineError) in
            try await session.perform(event)
        }
    }

    private func view(of id: PromiseID) async throws(RequestError) -> SessionView {
        try await engine.registry.requested(id) { session throws(EngineError) in try await session.view() }
    }

    /// The promise as the caller may see it: invited people without what happens live, strangers not at all.
    private func reply(
        _ id: PromiseID,
        to caller: Caller,
        withOverlaps: Bool = false,
        evenIfGone: Bool = false
    ) async throws(RequestError) -> WireContent? {
        let view = try await view(of: id)
        let mine = view.members.first { $0.participant.userID == caller.userID }?.participant
        guard let mine else { throw RequestError(.promiseNotFound) }
        let detail: ParticipantDetail
        switch mine.membership {
        case .accepted: detail = .live(interval: interval, at: clock.now)
        case .invited: detail = .membership
        case .declined, .left, .removed:
            guard evenIfGone || mine.tookPart(from: view.promise.opensAt) else { throw RequestError(.promiseNotFound) }
            detail = .membership
        }
        let promise = WirePromise(view, detail: detail, card: cards.card)
        let overlaps = withOverlaps ? try await overlaps(with: view.promise, of: caller.userID) : []
        return .promise(WirePromiseReply(promise, overlaps: overlaps))
    }

    private func overlaps(with promise: Promise, of userID: UserID) async throws(RequestError) -> [WireOverlap] {
        try await RequestError.stored { () async throws(StoreError) in
            try await store.overlapping(
                user: userID,
                opensAt: promise.opensAt,
                closesAt: promise.closesAt,
                excluding: promise.id
            )
        }.map { WireOverlap($0) }
    }
}

extension PromiseList {
    init?(_ wire: WirePromiseList.Value) {
        switch wire {
        case .upcoming: self = .upcoming
        case .tracking: self = .tracking
        case .past: self = .past
        case .invited: self = .invited
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
