package import PromisedDomain

package struct BlockOutcome: Hashable, Sendable {
    /// The pair after the block.
    package var friendship: Friendship
    /// `true` if they were friends before the block.
    package var endedFriendship: Bool
    /// `true` if the block is new.
    package var isNew: Bool
}

extension FriendshipStore {
    /// Blocks a user, in one transaction; ends a friendship and any open request.
    ///
    /// - Parameters:
    ///   - other: the user to block; may block the user, too.
    ///   - user: the user who blocks.
    ///   - now: the instant of the request.
    ///   - audit: written in the same transaction if an administrator blocks.
    /// - Returns: the outcome; or, with nothing written, `userNotFound` if one of the two is unknown or deleted,
    ///   `friendSelf` if they are the same.
    package func block(
        _ other: UserID,
        by user: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Result<BlockOutcome, Refusal> {
        try await write { db in
            guard try AccountRecord.isAlive(user, in: db), try AccountRecord.isAlive(other, in: db) else {
                return .failure(.userNotFound)
            }
            guard user != other else { return .failure(.friendSelf) }
            let before = try FriendshipRecord.fetch(Friendship(between: user, and: other, since: now), from: db)
            var friendship = before
            friendship.block(by: user, at: now)
            try FriendshipRecord.save(friendship, after: before, in: db)
            try AuditRecord.insert(audit, into: db)
            return .success(
                BlockOutcome(
                    friendship: friendship,
                    endedFriendship: before.state == .friends,
                    isNew: !before.blockedBy.contains(user)
                )
            )
        }
    }

    /// The pairs among these users in which one or both block the other. Index `friendship_with_block`.
    package func blocks(among users: some Sequence<UserID> & Sendable) async throws(StoreError) -> Set<UserPair> {
        let users = Set(users)
        return try await read { db in try BlockQuery.pairs(among: users, from: db) }
    }
}

/// The blocks among a few users; reads only the partial index `friendship_with_block`.
enum BlockQuery {
    static let blocked = """
        SELECT second FROM friendship INDEXED BY friendship_with_block
        WHERE first = ? AND (first_blocks = 1 OR second_blocks = 1)
        """

    /// The pairs among these users in which one or both block the other.
    static func pairs(among users: Set<UserID>, from db: SQLConnection) throws -> Set<UserPair> {
        var pairs = Set<UserPair>()
        for user in users {
            for row in try db.rows(blocked, [user]) {
                let other: UserID = try row.value("second")
                if users.contains(other) { pairs.insert(UserPair(user, other)) }
            }
        }
        return pairs
    }
}
