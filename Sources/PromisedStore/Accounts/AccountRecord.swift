internal import PromisedDomain

/// A row of `user`, with its row of `credential` if it has one.
enum AccountRecord {
    /// The name of a deleted account (domain §2).
    static let tombstoneName = UserCard.tombstoneName

    /// The account in a row that holds all columns of `user`.
    static func account(_ row: SQLRow) throws -> Account {
        Account(
            id: try row.value("id"),
            email: try row.value("email"),
            nickname: try row.value("nickname") ?? tombstoneName,
            avatar: try row.value("avatar"),
            picture: try row.value("picture_id"),
            locale: try row.value("locale"),
            timeZone: try row.value("time_zone"),
            visitsFromArrivals: try row.value("visits_from_arrivals"),
            createdAt: try row.value("created_at"),
            disabledAt: try row.value("disabled_at"),
            deletingAt: try row.value("deleting_at"),
            deletedAt: try row.value("deleted_at")
        )
    }

    /// The columns of `user` that ``card(_:)`` reads.
    static let cardColumns = "user.id, user.nickname, user.avatar, user.picture_id, user.deleted_at"

    static func card(_ row: SQLRow) throws -> UserCard {
        UserCard(
            id: try row.value("id"),
            nickname: try row.value("nickname") ?? tombstoneName,
            avatar: try row.value("avatar"),
            picture: try row.value("picture_id"),
            isDeleted: (try row.value("deleted_at") as Instant?) != nil
        )
    }

    /// `true` if an account has this value in `column`, which has a unique index.
    static func exists(_ column: String, _ key: String, in db: SQLConnection) throws -> Bool {
        try db.row("SELECT 1 FROM user WHERE \(column) = ?", [key]) != nil
    }

    /// A user's account, deleted or not; nil if there never was one. Primary key.
    static func fetch(_ user: UserID, from db: SQLConnection) throws -> Account? {
        try db.row("SELECT * FROM user WHERE id = ?", [user]).map(account)
    }

    /// `true` if the user exists and is neither deleted nor being deleted. Primary key.
    static func isAlive(_ user: UserID, in db: SQLConnection) throws -> Bool {
        try db.row("SELECT 1 FROM user WHERE id = ? AND deleted_at IS NULL AND deleting_at IS NULL", [user]) != nil
    }

    /// Adds a user and the hash of their password.
    static func insert(_ account: NewAccount, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO user (
                id, email, email_key, nickname, nickname_key, nickname_skeleton, avatar, locale, time_zone, created_at
            ) VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?)
            """,
            [
                account.id, account.email, account.emailKey, account.nickname, account.nicknameKey,
                NicknameSkeleton.skeleton(of: account.nickname), account.locale, account.timeZone, account.createdAt,
            ]
        )
        try db.run(
            "INSERT INTO credential (user_id, password_hash, changed_at) VALUES (?, ?, ?)",
            [account.id, account.passwordHash, account.createdAt]
        )
    }

    static func credential(
        where condition: String,
        _ key: some StoredValue,
        from db: SQLConnection
    ) throws -> Credential? {
        try db.row(
            """
            SELECT user.id AS id, password_hash, disabled_at IS NOT NULL AS is_disabled
            FROM user JOIN credential ON credential.user_id = user.id
            WHERE \(condition) AND deleting_at IS NULL
            """,
            [key]
        ).map { row in
            Credential(
                userID: try row.value("id"),
                passwordHash: try row.value("password_hash"),
                isDisabled: try row.value("is_disabled")
            )
        }
    }
}
