package import PromisedDomain
package import PromisedEngine
internal import PromisedStore

/// The sessions of promises, with checks of access.
package struct PromiseSessions: Sendable {
    package let store: MeetupStores
    package let registry: SessionRegistry
    package let cards: UserCardCache
    let turns = Turns<PromiseRoom.Part>()

    package init(store: some HasMeetups, registry: SessionRegistry, cards: UserCardCache) {
        self.store = MeetupStores(store)
        self.registry = registry
        self.cards = cards
    }

    /// Checks that a user is or was a participant, by a read that costs the same for an unknown promise. Call it before
    /// restoring a session, so that strangers cannot cause work or learn from timing whether a promise exists. Throws
    /// `promiseNotFound`.
    package func requirePart(of userID: UserID, in id: PromiseID) async throws {
        guard try await store.promises.membership(of: userID, in: id) != nil else { throw Refusal.promiseNotFound }
    }

    /// Checks that all live sessions were restored after the start. Until then a request for all promises of a user
    /// would miss some. Throws `unavailable`.
    package func requireAllSessions() async throws {
        guard await registry.isComplete else { throw ApplicationError.unavailable(retryAfter: .seconds(1)) }
    }

    /// Feeds a user's event to the session of a promise; its effects are durable on return. Throws `promiseNotFound`
    /// for a stranger, and the event's refusals.
    package func perform(_ event: SessionEvent, of userID: UserID, on id: PromiseID) async throws {
        try await requirePart(of: userID, in: id)
        _ = try await registry.withSession(of: id) { session throws(EngineError) in try await session.perform(event) }
    }

    /// Feeds an event that may add people.
    package func admit(_ newcomers: [UserID], by event: SessionEvent, to id: PromiseID) async throws {
        let people = try await store.accounts.cards(of: newcomers)
        _ = try await registry.withSession(of: id) { session throws(EngineError) in
            cards.pin(people.values, for: id)
            return try await session.admit(newcomers, by: event)
        }
    }

    /// The promise, for a present or former participant, with their standing. Throws `promiseNotFound` for a stranger.
    package func view(of id: PromiseID, for viewer: UserID) async throws -> (view: SessionView, standing: Standing) {
        try await requirePart(of: viewer, in: id)
        let view = try await registry.view(of: id, for: viewer)
        return (view, view.standing ?? Standing(.stranger))
    }

    /// The promise with nothing hidden. Throws `promiseNotFound`.
    package func wholeView(of id: PromiseID) async throws -> SessionView { try await registry.view(of: id) }

    /// The complete promise for an id that may be unknown. Throws `promiseNotFound`.
    package func knownView(of id: PromiseID) async throws -> SessionView {
        try await requireKnown(id)
        return try await wholeView(of: id)
    }

    /// The cards of a shown promise's people.
    package func cards(of view: SessionView) async throws -> ShownCards {
        let people = view.members.map(\.participant.userID)
        var found = cards.known(people)
        let others = people.filter { found[$0] == nil }
        if !others.isEmpty { found.merge(try await store.accounts.cards(of: others)) { first, _ in first } }
        return ShownCards(found, newerIn: cards)
    }

    /// - Throws: `promiseNotFound`.
    package func requireKnown(_ id: PromiseID) async throws {
        guard try await store.promises.knows(id) else {
            throw ApplicationError.refused(.promiseNotFound, field: "promiseId")
        }
    }
}

/// A promise as shown to a user.
package struct ShownPromise: Sendable {
    /// The promise, as far as the user may see it.
    package let view: SessionView
    /// The user's standing: only participants see live data.
    package let standing: Standing
    /// The user's other promises whose windows overlap, if requested.
    package let overlaps: [Promise]
    package let cards: ShownCards
}

extension PromiseSessions {
    /// The promise as a user may see it: invited users receive no live data, strangers an error.
    ///
    /// - Parameter evenIfGone: `true` to show it to a user who is out, in the reply to their leaving.
    /// - Throws: `promiseNotFound`.
    package func show(
        _ id: PromiseID,
        to userID: UserID,
        withOverlaps: Bool = false,
        evenIfGone: Bool = false
    ) async throws -> ShownPromise {
        let (view, standing) = try await view(of: id, for: userID)
        if !evenIfGone || standing.part == .stranger { try standing.requireReading() }
        let overlaps =
            withOverlaps
            ? try await store.promises.overlapping(
                user: userID,
                opensAt: view.promise.opensAt,
                closesAt: view.promise.closesAt,
                excluding: id
            ) : []
        return ShownPromise(view: view, standing: standing, overlaps: overlaps, cards: try await cards(of: view))
    }

    /// Checks that all of these are friends of a user. Throws `promiseNotFriend` with the field of the first other one.
    func requireFriends(_ users: [UserID], of userID: UserID, field: String) async throws {
        guard !users.isEmpty else { return }
        let friends = try await store.friendships.friends(of: userID, among: users)
        if let stranger = users.firstIndex(where: { !friends.contains($0) }) {
            throw ApplicationError.refused(.promiseNotFriend, field: "\(field)[\(stranger)]")
        }
    }
}
