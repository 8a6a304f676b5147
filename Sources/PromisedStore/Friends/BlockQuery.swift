internal import GRDB
public import PromisedDomain

/// Who blocks whom among a few people; reads only the partial index `friendship_with_block`.
enum BlockQuery {
    static let blocked = """
        SELECT second FROM friendship INDEXED BY friendship_with_block
        WHERE first = ? AND (first_blocks = 1 OR second_blocks = 1)
        """

    /// The pairs of these users of whom one blocks the other, or both do.
    static func pairs(among users: Set<UserID>, from db: Database) throws -> Set<UserPair> {
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

extension Store {
    /// The pairs of these users of whom one blocks the other, or both do. Index `friendship_with_block`.
    public func blocks(among users: some Sequence<UserID> & Sendable) async throws(StoreError) -> Set<UserPair> {
        let users = Set(users)
        return try await read { db in try BlockQuery.pairs(among: users, from: db) }
    }
}
