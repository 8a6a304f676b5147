package import PromisedDomain

/// The views and changes of administrators: users, promises, tokens, the audit log.
package struct AdministrationStore: StorePart {
    let driver: any StoreDriver

    /// An account, deleted or not; nil if there never was one. Primary key.
    package func administeredAccount(_ user: UserID, at now: Instant) async throws(StoreError) -> AdministeredAccount? {
        try await read { db in
            try db.rows(UserQuery.byID, named: ["id": user, "now": now]).first.map(UserQuery.account)
        }
    }

    /// The accounts whose folded nickname or address is exactly this one. Indexes `user_by_nickname`, `user_by_email`.
    package func accounts(named key: String, at now: Instant) async throws(StoreError) -> [AdministeredAccount] {
        try await read { db in
            try db.rows(UserQuery.byName, named: ["key": key, "now": now]).map(UserQuery.account)
        }
    }

    /// A page of the accounts that are not deleted, by folded nickname. Index `user_by_nickname`.
    ///
    /// - Parameters:
    ///   - text: only accounts whose folded nickname or address contains this; nil for all.
    ///   - onlyDisabled: only disabled accounts.
    ///   - now: the instant that determines which promises are over.
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func accounts(
        containing text: String?,
        onlyDisabled: Bool,
        at now: Instant,
        after cursor: FriendCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<AdministeredAccount, FriendCursor> {
        try await read { db in
            let rows = try db.rows(
                UserQuery.list,
                named: [
                    "text": text, "disabled": onlyDisabled, "now": now, "limit": limit + 1,
                    "cursorKey": cursor?.nicknameKey, "cursorID": cursor?.userID,
                ]
            )
            let last = rows.count > limit ? rows[limit - 1] : nil
            return Page(
                items: try rows.prefix(limit).map(UserQuery.account),
                next: try last.map { row in
                    FriendCursor(nicknameKey: try row.value("nickname_key"), userID: try row.value("id"))
                }
            )
        }
    }

    /// Nicknames and addresses that contain a folded text, the shortest nicknames first. Scans all accounts.
    package func names(containing text: String, limit: Int) async throws(StoreError) -> [String] {
        try await read { db in
            try db.rows(
                """
                SELECT CASE WHEN instr(nickname_key, :text) > 0 THEN nickname ELSE email END AS name FROM user
                WHERE instr(nickname_key, :text) > 0 OR instr(email_key, :text) > 0
                ORDER BY length(nickname_key), nickname_key LIMIT :limit
                """,
                named: ["text": text, "limit": limit]
            ).map { try $0.value("name") }
        }
    }

    /// Nicknames whose folded form begins with a text, ordered by folded form. Index `user_by_nickname`.
    package func nicknames(beginningWith text: String, limit: Int) async throws(StoreError) -> [ChosenNickname] {
        try await read { db in
            try db.rows(
                """
                SELECT nickname, nickname_key FROM user
                WHERE nickname_key >= :text AND nickname_key < :end ORDER BY nickname_key LIMIT :limit
                """,
                named: ["text": text, "end": text + "\u{10FFFF}", "limit": limit]
            ).map { ChosenNickname(text: try $0.value("nickname"), key: try $0.value("nickname_key")) }
        }
    }

    /// The outcome of a sign-up with these names, without writing. Indexes `user_by_email`, `user_by_nickname`,
    /// `user_by_skeleton`.
    package func signUpOutcome(emailKey: String, nickname: ChosenNickname) async throws(StoreError) -> SignUpOutcome {
        try await read { db in
            if try AccountRecord.exists("email_key", emailKey, in: db) { return .emailTaken }
            return try AccountRecord.isTaken(nickname, in: db) ? .nicknameTaken : .created
        }
    }

    /// Sets a new password and revokes the account's sessions, in one transaction. Returns the sessions that were
    /// valid; nil if the account does not exist or is deleted.
    package func resetPassword(
        of user: UserID,
        to hash: String,
        at now: Instant,
        audit: AuditEntry
    ) async throws(StoreError) -> [SignInID]? {
        try await write { db in
            guard try AccountRecord.isAlive(user, in: db) else { return nil }
            try db.run(
                """
                INSERT INTO credential (user_id, password_hash, changed_at) VALUES (:user, :hash, :now)
                ON CONFLICT (user_id) DO UPDATE SET password_hash = :hash, changed_at = :now
                """,
                named: ["user": user, "hash": hash, "now": now]
            )
            try AuditRecord.insert(audit, into: db)
            return try AuthSessionRecord.revokeAll(of: user, except: nil, at: now, in: db)
        }
    }

    /// A user's valid sign-ins, newest first. Indexes `auth_session_by_user`, `refresh_token_by_session`.
    package func openSignIns(
        of user: UserID,
        at now: Instant,
        limit: Int = 200
    ) async throws(StoreError) -> [OpenSignIn] {
        try await read { db in
            try db.rows(
                """
                SELECT auth_session.id AS id, created_at, max(expires_at) AS expires_at
                FROM auth_session JOIN refresh_token ON session_id = auth_session.id
                WHERE user_id = :user AND revoked_at IS NULL GROUP BY auth_session.id HAVING max(expires_at) > :now
                ORDER BY created_at DESC, auth_session.id DESC LIMIT :limit
                """,
                named: ["user": user, "now": now, "limit": limit]
            ).map { row in
                OpenSignIn(
                    id: try row.value("id"),
                    createdAt: try row.value("created_at"),
                    expiresAt: try row.value("expires_at")
                )
            }
        }
    }
}

package protocol HasAdministration: Sendable {
    var administration: AdministrationStore { get }
}
