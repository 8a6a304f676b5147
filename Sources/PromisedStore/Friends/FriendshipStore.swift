package import PromisedDomain

/// Friendships, requests and blocks.
package struct FriendshipStore: StorePart {
    let driver: any StoreDriver

    /// Changes the relation of two users, in one transaction: reads the pair and the counts, applies a rule, writes.
    ///
    /// - Parameters:
    ///   - user: the acting user.
    ///   - other: the other user.
    ///   - now: the instant of the request; the start of a new pair.
    ///   - audit: written with the change if an administrator makes it.
    ///   - rule: changes the pair or refuses; runs on the writer's thread, so it must be pure and short. The counts are
    ///     those before the change; `mine` is the acting user's.
    /// - Returns: the pair after the change, or the rule's refusal, with nothing written. Checked before the rule:
    ///   `userNotFound` if one of the two is unknown or deleted, `friendSelf` if they are the same.
    package func changeFriendship(
        between user: UserID,
        and other: UserID,
        at now: Instant,
        audit: AuditEntry? = nil,
        _ rule: @escaping @Sendable (inout Friendship, Friendship.Counts) throws(Refusal) -> Void
    ) async throws(StoreError) -> Result<Friendship, Refusal> {
        try await write { db in
            guard try AccountRecord.isAlive(user, in: db), try AccountRecord.isAlive(other, in: db) else {
                return .failure(.userNotFound)
            }
            guard user != other else { return .failure(.friendSelf) }
            let before = try FriendshipRecord.fetch(Friendship(between: user, and: other, since: now), from: db)
            var friendship = before
            let counts = try FriendshipRecord.counts(of: user, and: other, in: db)
            do throws(Refusal) {
                try rule(&friendship, counts)
            } catch {
                return .failure(error)
            }
            try FriendshipRecord.save(friendship, after: before, in: db)
            try AuditRecord.insert(audit, into: db)
            return .success(friendship)
        }
    }

    /// The relation of two different users; a fresh pair starting at `since` if there is none. Primary key.
    package func friendship(
        between user: UserID,
        and other: UserID,
        at now: Instant
    ) async throws(StoreError) -> Friendship {
        let fresh = Friendship(between: user, and: other, since: now)
        return try await read { db in try FriendshipRecord.fetch(fresh, from: db) }
    }

    /// A user's friends by folded nickname. Indexes `friendship_by_first`, `friendship_by_second`; at most 1,000 rows
    /// are sorted.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func friends(
        of user: UserID,
        after cursor: FriendCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Friend, FriendCursor> {
        try await read { db in
            let rows = try db.rows(
                """
                SELECT \(AccountRecord.cardColumns), user.nickname_key FROM (
                    SELECT second AS id FROM friendship WHERE first = :user AND state = 'friends'
                    UNION ALL
                    SELECT first FROM friendship WHERE second = :user AND state = 'friends'
                ) AS friend JOIN user ON user.id = friend.id
                WHERE (:key IS NULL OR (user.nickname_key, user.id) > (:key, :id)) AND \(ErasingRecord.isKept("user.id"))
                ORDER BY user.nickname_key, user.id LIMIT :limit
                """,
                named: ["user": user, "key": cursor?.nicknameKey, "id": cursor?.userID, "limit": limit + 1]
            )
            let friends = try rows.map { row in
                Friend(card: try AccountRecord.card(row), nicknameKey: try row.value("nickname_key"))
            }
            return Page(fetched: friends, limit: limit, cursor: FriendCursor.init)
        }
    }

    /// The open requests from and to a user. Indexes `friendship_by_first`, `friendship_by_second`,
    /// `friendship_shown_rejected`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page in each direction, 1 or more.
    package func friendRequests(
        of user: UserID,
        after cursor: FriendRequestCursor? = nil,
        limit: Int = 200
    ) async throws(StoreError) -> FriendRequestPage {
        try await read { db in
            func page(
                _ sql: String,
                after place: FriendRequestCursor.Place?
            ) throws -> Page<OpenRequest, FriendRequestCursor.Place> {
                let rows = try db.rows(
                    sql,
                    named: ["user": user, "since": place?.since, "id": place?.userID, "limit": limit + 1]
                )
                let requests = try rows.map { row in
                    OpenRequest(user: try AccountRecord.card(row), since: try row.value("since"))
                }
                return Page(fetched: requests, limit: limit, cursor: \.place)
            }
            return FriendRequestPage(
                incoming: try page(FriendRequestQuery.incoming, after: cursor?.incoming),
                outgoing: try page(FriendRequestQuery.outgoing, after: cursor?.outgoing)
            )
        }
    }

    /// The users among `others` who are friends of `user`. Primary key.
    package func friends(
        of user: UserID,
        among others: some Sequence<UserID> & Sendable
    ) async throws(StoreError) -> Set<UserID> {
        let others = Set(others).subtracting([user])
        return try await read { db in
            try others.filter { other in try FriendshipRecord.areFriends(user, other, in: db) }
        }
    }
}

extension FriendshipRecord {
    /// `true` if two different users are friends. Primary keys.
    static func areFriends(_ one: UserID, _ other: UserID, in db: SQLConnection) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM friendship WHERE first = ? AND second = ? AND state = 'friends'
                AND \(ErasingRecord.isKept("first", "second"))
            """,
            [min(one, other), max(one, other)]
        ) != nil
    }
}

/// The queries for ``FriendshipStore/friendRequests(of:after:limit:)``.
enum FriendRequestQuery {
    static let incoming = page(
        of: """
            SELECT second AS id, since FROM friendship
            WHERE first = :user AND state = 'requested' AND requester <> :user
            UNION ALL
            SELECT first, since FROM friendship
            WHERE second = :user AND state = 'requested' AND requester <> :user
            """
    )

    /// Includes silently rejected requests.
    static let outgoing = page(
        of: """
            SELECT second AS id, since FROM friendship WHERE first = :user AND state = 'requested' AND requester = :user
            UNION ALL
            SELECT first, since FROM friendship WHERE second = :user AND state = 'requested' AND requester = :user
            UNION ALL
            SELECT iif(first = :user, second, first), since FROM friendship
            WHERE rejected_requester = :user AND rejection_shown = 1
            """
    )

    private static func page(of requests: String) -> String {
        """
        SELECT \(AccountRecord.cardColumns), request.since AS since FROM (\(requests)) AS request JOIN user ON user.id = request.id
        WHERE (:since IS NULL OR request.since < :since OR request.since = :since AND user.id > :id)
            AND \(ErasingRecord.isKept("user.id"))
        ORDER BY request.since DESC, user.id LIMIT :limit
        """
    }
}

package protocol HasFriendships: Sendable {
    var friendships: FriendshipStore { get }
}
