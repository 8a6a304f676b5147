internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Promises from making to calling off (domain §4).
struct PromiseRequests: Sendable {
    let store: Store
    let engine: Engine
    let broadcaster: Broadcaster
    let replies: PromiseReplies
    let throttles: AccountThrottles
    let spans: WindowSpans
    let grace: TimeSpan
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int

    /// Answers `createPromise`. The same key with the same content gives the promise as it is now.
    func create(_ request: WireCreatePromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let draft = try PromiseDraft(request, by: caller.userID, grace: grace, spans: spans)
        let hash = try draft.contentHash()
        if let known = try await earlier(key: draft.key, hash: hash, of: caller) {
            return try await replies.reply(known, to: caller, withOverlaps: true)
        }
        try draft.requireTime(spans: spans, at: caller.now)
        try await replies.requireFriends(draft.inviteeIDs, of: caller.userID, field: "inviteeIds")
        if caller.audit == nil {
            try RequestError.limited { () throws(TooManyAttempts) in try throttles.makePromise(by: caller.userID) }
        }
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
                openLimit: PromiseLimits.openPromises,
                amongFriends: true,
                audit: caller.audit
            )
        }
        if let known = try existing(outcome) { return try await replies.reply(known, to: caller, withOverlaps: true) }
        await engine.noteOpening(at: promise.opensAt)
        try await announce(events, of: promise.id)
        return try await replies.reply(promise.id, to: caller, withOverlaps: true)
    }

    /// Answers `respond`.
    func respond(_ request: WireRespond, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.requirePart(of: caller.userID, in: id)
        // Who accepts may be separated from others by a block that was made since they were invited.
        try await replies.admit([caller.userID], by: .respond(caller.userID, accept: request.accept), to: id)
        return try await replies.reply(id, to: caller, withOverlaps: request.accept, evenIfGone: true)
    }

    /// Answers `leavePromise`.
    func leave(_ request: WireLeavePromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.perform(.leave(caller.userID), of: caller.userID, on: id)
        return try await replies.reply(id, to: caller, evenIfGone: true)
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
        try await replies.perform(.cancel(by: caller.userID, reason: reason), of: caller.userID, on: id)
        return try await replies.reply(id, to: caller)
    }

    /// Answers `getPromise`.
    func get(_ request: WireGetPromise, from caller: Caller) async throws(RequestError) -> WireContent? {
        try await replies.reply(try RequestError.promiseID(request.promiseID), to: caller)
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
        let card = me[caller.userID] ?? .tombstone(of: caller.userID)
        var room = FrameRoom(frameLimit: frameLimit, for: caller.connection)
        let (promises, next) = room.fill(with: page, cursor: \.cursor) { item in
            WirePromise(
                item.promise,
                status: item.promise.status(at: caller.now),
                participants: [WireParticipant(item.participant, card: card)],
                participantCount: item.participantCount
            )
        }
        var reply = WirePromises()
        reply.promises = promises
        reply.cursor = next?.description ?? ""
        return .promises(reply)
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
        case .notFriend: throw RequestError(.promiseNotFriend, field: "inviteeIds")
        }
    }

    private func announce(_ events: [NumberedEvent], of id: PromiseID) async throws(RequestError) {
        guard !events.isEmpty else { return }
        let view = try await replies.wholeView(of: id)
        for event in events {
            guard case .invited(let userID) = event.event else { continue }
            broadcaster.deliver(.event(event, view), of: id, to: broadcaster.connections(of: userID))
        }
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
