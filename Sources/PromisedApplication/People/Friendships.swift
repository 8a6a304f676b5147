package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Friendships (domain §3).
///
/// If an administrator acts on behalf of a user, `audit` is written in the same transaction.
package struct Friendships: Sendable {
    private let store: (accounts: AccountStore, friendships: FriendshipStore)
    private let sessions: SessionRegistry
    private let news: any News
    private let notifications: NotificationQueue
    private let throttles: AccountThrottles

    /// - Parameter sessions: adapt when a block begins or ends.
    package init(
        store: some HasAccounts & HasFriendships,
        sessions: SessionRegistry,
        news: any News,
        notifications: NotificationQueue,
        throttles: AccountThrottles
    ) {
        self.store = (store.accounts, store.friendships)
        self.sessions = sessions
        self.news = news
        self.notifications = notifications
        self.throttles = throttles
    }

    /// How a request identifies the user to befriend.
    package enum Name: Sendable {
        case id(UserID)
        /// By exact nickname.
        case nickname(String)
    }

    /// The friendship after an act, with the other user's card.
    package typealias Outcome = (friendship: Friendship, other: UserCard)

    /// Sends a friend request; a crossing request counts as the acceptance. Throws `userNotFound`, `friendSelf`, the
    /// rule's refusals, `TooManyAttempts` (for a search by name).
    package func request(_ name: Name, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(name, soughtBy: userID)
        guard other.id != userID else { throw Refusal.friendSelf }
        // Read before the change, so that a completed change never fails because of a read.
        let mine = try await card(of: userID)
        let friendship = try await change(userID, other.id, at: now) { friendship, counts throws(Refusal) in
            try friendship.request(by: userID, counts: counts, at: now)
        }
        switch friendship.state {
        case .friends: tellBoth(mine, other)
        case .requested:
            news.tell(.friendRequested(mine), to: .user(other.id))
            notifications.raise(.friendRequested(userID), for: [other.id], causedBy: userID, at: now)
        case .none: break
        }
        return (friendship, other)
    }

    package func accept(_ otherID: UserID, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(otherID)
        let mine = try await card(of: userID)
        let friendship = try await change(userID, otherID, at: now) { friendship, counts throws(Refusal) in
            try friendship.accept(by: userID, counts: counts, at: now)
        }
        tellBoth(mine, other)
        return (friendship, other)
    }

    /// Rejects a request without notifying the requester.
    package func reject(_ otherID: UserID, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(otherID)
        let friendship = try await change(userID, otherID, at: now) { friendship, _ throws(Refusal) in
            try friendship.reject(by: userID, at: now)
        }
        return (friendship, other)
    }

    /// Withdraws a request without notifying the other user.
    package func cancel(_ otherID: UserID, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(otherID)
        let friendship = try await change(userID, otherID, at: now) { friendship, _ throws(Refusal) in
            try friendship.cancelRequest(by: userID, at: now)
        }
        return (friendship, other)
    }

    /// Ends a friendship.
    package func remove(
        _ otherID: UserID,
        by userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws -> Outcome {
        let other = try await user(otherID)
        let friendship = try await change(userID, otherID, at: now, audit) { friendship, _ throws(Refusal) in
            try friendship.remove(at: now)
        }
        tellLost(userID, otherID)
        return (friendship, other)
    }

    /// Makes two users friends, even with open or rejected requests, but not through a block.
    package func befriend(_ one: UserCard, _ other: UserCard, at now: Instant, audit: AuditEntry) async throws {
        _ = try await change(one.id, other.id, at: now, audit) { friendship, counts throws(Refusal) in
            try friendship.befriend(counts: counts, at: now)
        }
        tellBoth(one, other)
    }

    /// Blocks a user. The other user learns only that a friendship ended, if there was one. If the other user blocks
    /// the caller, the block is stored, but the reply is that for an unknown user.
    package func block(_ otherID: UserID, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(otherID)
        return try hidden(try await makeBlock(otherID, by: userID, at: now), other)
    }

    /// Ends a block, if there is one. Restores no friendship; the reply is like that of a block.
    package func unblock(_ otherID: UserID, by userID: UserID, at now: Instant) async throws -> Outcome {
        let other = try await user(otherID)
        return try hidden(try await endBlock(otherID, by: userID, at: now), other)
    }

    /// Stores a block, and notifies the parts of the server that depend on it.
    @discardableResult
    package func makeBlock(
        _ otherID: UserID,
        by userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws -> Friendship {
        let block = try await store.friendships.block(otherID, by: userID, at: now, audit: audit).get()
        if block.endedFriendship { tellLost(userID, otherID) }
        if block.isNew {
            notifications.blockCreated(between: userID, and: otherID)
            await sessions.refreshBlocks(between: userID, and: otherID)
            // Ensures that no notification decided without the block is sent after the block is acknowledged.
            await notifications.roundEnd()
        }
        return block.friendship
    }

    @discardableResult
    package func endBlock(
        _ otherID: UserID,
        by userID: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws -> Friendship {
        let friendship = try await change(userID, otherID, at: now, audit) { friendship, _ throws(Refusal) in
            friendship.unblock(by: userID)
        }
        await sessions.refreshBlocks(between: userID, and: otherID)
        return friendship
    }

    private func hidden(_ friendship: Friendship, _ other: UserCard) throws(Refusal) -> Outcome {
        guard !friendship.blockedBy.contains(other.id) else { throw .userNotFound }
        return (friendship, other)
    }

    // MARK: - Lists

    /// A page of a user's friends.
    package func list(
        of userID: UserID,
        after cursor: FriendCursor?,
        limit: Int
    ) async throws -> Page<Friend, FriendCursor> {
        try await store.friendships.friends(of: userID, after: cursor, limit: limit)
    }

    /// A page of the open requests from and to a user, newest first.
    package func requests(
        of userID: UserID,
        after cursor: FriendRequestCursor?,
        limit: Int
    ) async throws -> FriendRequestPage {
        try await store.friendships.friendRequests(of: userID, after: cursor, limit: limit)
    }

    // MARK: - People

    /// A user who is not deleted. Throws `userNotFound`.
    package func user(_ id: UserID) async throws -> UserCard {
        let card = try await card(of: id)
        guard !card.isDeleted else { throw Refusal.userNotFound }
        return card
    }

    private func user(_ name: Name, soughtBy userID: UserID) async throws -> UserCard {
        switch name {
        case .id(let id): return try await user(id)
        case .nickname(let nickname):
            try throttles.find(by: userID)
            // A text that is not a valid key matches no user.
            guard let key = try? Nickname.key(lookedUp: nickname),
                let found = try await store.accounts.user(nicknameKey: key), !found.isDeleted
            else { throw Refusal.userNotFound }
            return found
        }
    }

    private func card(of userID: UserID) async throws -> UserCard {
        guard let card = try await store.accounts.cards(of: [userID])[userID] else { throw Refusal.userNotFound }
        return card
    }

    private func change(
        _ userID: UserID,
        _ otherID: UserID,
        at now: Instant,
        _ audit: AuditEntry? = nil,
        _ rule: @escaping @Sendable (inout Friendship, Friendship.Counts) throws(Refusal) -> Void
    ) async throws -> Friendship {
        try await store.friendships.changeFriendship(between: userID, and: otherID, at: now, audit: audit, rule).get()
    }

    private func tellBoth(_ one: UserCard, _ other: UserCard) {
        news.tell(.friendAdded(other), to: .user(one.id))
        news.tell(.friendAdded(one), to: .user(other.id))
    }

    private func tellLost(_ one: UserID, _ other: UserID) {
        news.tell(.friendRemoved(other), to: .user(one))
        news.tell(.friendRemoved(one), to: .user(other))
    }
}

extension Friendship {
    /// Makes the two users friends for an administrator, whatever requests are open. Throws the first that applies of
    /// `friendBlocked` (either blocks the other), `friendAlready`, `friendLimit`.
    fileprivate mutating func befriend(counts: Counts, at now: Instant) throws(Refusal) {
        guard blockedBy.isEmpty else { throw .friendBlocked }
        guard state != .friends else { throw .friendAlready }
        guard counts.mine < Friendship.friendLimit, counts.theirs < Friendship.friendLimit else { throw .friendLimit }
        state = .friends
        since = now
        rejection = nil
    }
}
