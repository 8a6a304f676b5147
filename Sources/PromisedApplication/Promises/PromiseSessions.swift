package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// The sessions of promises, for people who may reach them.
package struct PromiseSessions: Sendable {
    package let store: Store
    package let registry: SessionRegistry
    package let cards: CardBook

    /// The sessions of a registry.
    package init(store: Store, registry: SessionRegistry, cards: CardBook) {
        self.store = store
        self.registry = registry
        self.cards = cards
    }

    /// Checks that a user has, or had, a part in a promise, by a read that costs the same whether there is one or not.
    /// Asked before a session is brought to life, so that strangers can neither make the server work nor tell from the
    /// time it takes whether a promise exists.
    ///
    /// - Throws: `promiseNotFound`.
    package func requirePart(of userID: UserID, in id: PromiseID) async throws {
        guard try await store.membership(of: userID, in: id) != nil else { throw Refusal.promiseNotFound }
    }

    /// Checks that everything that runs has been brought to life since the start. Until then what is meant for all promises
    /// of a user would miss some of them.
    ///
    /// - Throws: `unavailable`.
    package func requireAllSessions() async throws {
        guard await registry.isComplete else { throw ActError.unavailable(retryAfter: .seconds(1)) }
    }

    /// Feeds an event of somebody to the session of a promise; what follows from it is durable when this returns.
    ///
    /// - Throws: `promiseNotFound` for a stranger, and what the event is refused with.
    package func perform(_ event: SessionEvent, of userID: UserID, on id: PromiseID) async throws {
        try await requirePart(of: userID, in: id)
        _ = try await registry.withSession(of: id) { session throws(EngineError) in try await session.perform(event) }
    }

    /// Feeds an event that may bring people in who were not there before.
    package func admit(_ newcomers: [UserID], by event: SessionEvent, to id: PromiseID) async throws {
        let people = try await store.cards(of: newcomers)
        _ = try await registry.withSession(of: id) { session throws(EngineError) in
            cards.pin(people.values, for: id)
            return try await session.admit(newcomers, by: event)
        }
    }

    /// The promise as it stands, for somebody who has or had a part in it, with their standing.
    ///
    /// - Throws: `promiseNotFound` for a stranger.
    package func view(of id: PromiseID, for viewer: UserID) async throws -> (view: SessionView, standing: Standing) {
        try await requirePart(of: viewer, in: id)
        let view = try await registry.withSession(of: id) { session throws(EngineError) in
            try await session.view(for: viewer)
        }
        return (view, view.standing ?? Standing(.stranger))
    }

    /// The promise as it stands, with nothing hidden.
    ///
    /// - Throws: `promiseNotFound`.
    package func wholeView(of id: PromiseID) async throws -> SessionView {
        try await registry.withSession(of: id) { session throws(EngineError) in try await session.view() }
    }

    /// The same for a promise that may not exist: none is brought to life that there is not.
    ///
    /// - Throws: `promiseNotFound`.
    package func knownView(of id: PromiseID) async throws -> SessionView {
        try await requireKnown(id)
        return try await wholeView(of: id)
    }

    /// - Throws: `promiseNotFound`.
    package func requireKnown(_ id: PromiseID) async throws {
        guard try await store.knows(id) else { throw ActError.refused(.promiseNotFound, field: "promiseId") }
    }
}

/// A promise as a user is shown it.
package struct ShownPromise: Sendable {
    /// The promise, as far as the user may see it.
    package let view: SessionView
    /// What the user is to it: only those who take part see what happens live.
    package let standing: Standing
    /// Others of the user's promises whose windows overlap, where that was asked for.
    package let overlaps: [Promise]
}

extension PromiseSessions {
    /// The promise as a user may see it: invited people without what happens live, strangers not at all.
    ///
    /// - Parameter evenIfGone: whether somebody who is out sees it too, for the answer to how they went.
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
            ? try await store.overlapping(
                user: userID,
                opensAt: view.promise.opensAt,
                closesAt: view.promise.closesAt,
                excluding: id
            ) : []
        return ShownPromise(view: view, standing: standing, overlaps: overlaps)
    }

    /// Checks that all of these are friends of a user.
    ///
    /// - Throws: `promiseNotFriend` with the field of the first who is not.
    func requireFriends(_ users: [UserID], of userID: UserID, field: String) async throws {
        guard !users.isEmpty else { return }
        let friends = try await store.friends(of: userID, among: users)
        if let stranger = users.firstIndex(where: { !friends.contains($0) }) {
            throw ActError.refused(.promiseNotFriend, field: "\(field)[\(stranger)]")
        }
    }
}
