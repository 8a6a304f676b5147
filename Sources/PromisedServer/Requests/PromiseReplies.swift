internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// How a promise is shown to whoever asked, and how events reach its session.
struct PromiseReplies: Sendable {
    let store: Store
    let registry: SessionRegistry
    let cards: CardBook

    /// Checks that a user has, or had, a part in a promise, by a read that costs the same whether there is one or not.
    /// Asked before a session is brought to life, so that strangers can neither make the server work nor tell from the
    /// time it takes whether a promise exists.
    ///
    /// - Throws: `promise.not-found`.
    func requirePart(of userID: UserID, in id: PromiseID) async throws(RequestError) {
        let membership = try await RequestError.stored { () async throws(StoreError) in
            try await store.membership(of: userID, in: id)
        }
        guard membership != nil else { throw RequestError(.promiseNotFound) }
    }

    /// Checks that everything that runs has been brought to life since the start. Until then what is meant for all promises
    /// of a user would miss some of them.
    ///
    /// - Throws: `server.unavailable`.
    func requireAllSessions() async throws(RequestError) {
        guard await registry.isComplete else { throw RequestError(.serverUnavailable, retryAfter: .seconds(1)) }
    }

    /// Feeds an event of somebody to the session of a promise; what follows from it is durable when this returns.
    ///
    /// - Throws: `promise.not-found` for a stranger, and what the event is refused with.
    func perform(_ event: SessionEvent, of userID: UserID, on id: PromiseID) async throws(RequestError) {
        try await requirePart(of: userID, in: id)
        _ = try await registry.requested(id) { session throws(EngineError) in try await session.perform(event) }
    }

    /// The same for an event that may bring people in who were not there before.
    func admit(_ newcomers: [UserID], by event: SessionEvent, to id: PromiseID) async throws(RequestError) {
        let people = try await RequestError.stored { () async throws(StoreError) in
            try await store.cards(of: newcomers)
        }
        _ = try await registry.requested(id) { session throws(EngineError) in
            cards.pin(people.values, for: id)
            return try await session.admit(newcomers, by: event)
        }
    }

    /// The promise as it stands, for somebody who has or had a part in it.
    ///
    /// - Throws: `promise.not-found` for a stranger.
    func view(of id: PromiseID, for viewer: UserID) async throws(RequestError) -> SessionView {
        try await requirePart(of: viewer, in: id)
        return try await wholeView(of: id, for: viewer)
    }

    /// The promise as it stands.
    ///
    /// - Parameter viewer: who will see it; nil for everything.
    func wholeView(of id: PromiseID, for viewer: UserID? = nil) async throws(RequestError) -> SessionView {
        try await registry.requested(id) { session throws(EngineError) in try await session.view(for: viewer) }
    }

    /// The caller's part in a promise.
    ///
    /// - Throws: `promise.not-found` for a stranger.
    func part(of userID: UserID, in view: SessionView) throws(RequestError) -> SessionView.Member {
        guard let mine = view.members.first(where: { $0.participant.userID == userID }) else {
            throw RequestError(.promiseNotFound)
        }
        return mine
    }

    /// The same for somebody who must have accepted.
    ///
    /// - Throws: `promise.not-found` for a stranger and who is out, `promise.not-accepted` for the invited.
    func acceptedPart(of userID: UserID, in view: SessionView) throws(RequestError) -> SessionView.Member {
        let mine = try part(of: userID, in: view)
        switch mine.participant.membership {
        case .accepted: return mine
        case .invited: throw RequestError(.promiseNotAccepted)
        case .declined, .left, .removed: throw RequestError(.promiseNotFound)
        }
    }

    /// Checks that a user owns a promise. Who is only invited knows of it, and so learns that they do not.
    ///
    /// - Throws: `promise.not-found` for a stranger and who is out, `promise.not-owner`.
    func requireOwner(_ userID: UserID, of view: SessionView) throws(RequestError) {
        guard try part(of: userID, in: view).participant.membership.isIn else { throw RequestError(.promiseNotFound) }
        guard view.promise.ownerID == userID else { throw RequestError(.promiseNotOwner) }
    }

    /// The promise as the caller may see it: invited people without what happens live, strangers not at all.
    ///
    /// - Parameter evenIfGone: whether who is out sees it too, for the reply to how they went.
    func reply(
        _ id: PromiseID,
        to caller: Caller,
        withOverlaps: Bool = false,
        evenIfGone: Bool = false
    ) async throws(RequestError) -> WireContent? {
        let view = try await view(of: id, for: caller.userID)
        let mine = try part(of: caller.userID, in: view).participant
        let detail: ParticipantDetail
        switch mine.membership {
        case .accepted: detail = .live
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

    /// Checks that all of these are friends of a user.
    ///
    /// - Throws: `promise.not-friend` with the field of the first who is not.
    func requireFriends(_ users: [UserID], of userID: UserID, field: String) async throws(RequestError) {
        guard !users.isEmpty else { return }
        let friends = try await RequestError.stored { () async throws(StoreError) in
            try await store.friends(of: userID, among: users)
        }
        if let stranger = users.firstIndex(where: { !friends.contains($0) }) {
            throw RequestError(.promiseNotFriend, field: "\(field)[\(stranger)]")
        }
    }
}
