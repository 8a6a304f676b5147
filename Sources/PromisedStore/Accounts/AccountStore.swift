package import PromisedDomain

/// Accounts, their passwords, profiles and sign-ins.
package struct AccountStore: StorePart {
    let driver: any StoreDriver

    /// Signs a user up. Indexes `user_by_email`, `user_by_nickname`, `user_by_skeleton`.
    ///
    /// - Parameter audit: written in the same transaction if an administrator creates the user.
    /// - Returns: the outcome; a taken address is reported before a taken nickname. A nickname that looks like an
    ///   existing one counts as taken.
    package func createUser(_ account: NewAccount, audit: AuditEntry? = nil) async throws(StoreError) -> SignUpOutcome {
        try await write { db in
            if try AccountRecord.exists("email_key", account.emailKey, in: db) { return .emailTaken }
            let nickname = ChosenNickname(text: account.nickname, key: account.nicknameKey)
            if try AccountRecord.isTaken(nickname, in: db) { return .nicknameTaken }
            try AccountRecord.insert(account, into: db)
            try AuditRecord.insert(audit, into: db)
            return .created
        }
    }

    /// The credential for this folded address; nil if there is no such account or it has no password. Index
    /// `user_by_email`.
    package func credential(emailKey: String) async throws(StoreError) -> Credential? {
        try await read { db in try AccountRecord.credential(where: "user.email_key = ?", emailKey, from: db) }
    }

    package func credential(of user: UserID) async throws(StoreError) -> Credential? {
        try await read { db in try AccountRecord.credential(where: "user.id = ?", user, from: db) }
    }

    /// Replaces the stored hash of a password, because the password or the cost of the hash changed.
    ///
    /// - Parameter expected: the hash to replace; if the stored one differs, nothing is written.
    /// - Returns: `true` if it was replaced.
    package func replacePasswordHash(
        of user: UserID,
        _ expected: String,
        with hash: String,
        at now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run(
                "UPDATE credential SET password_hash = ?, changed_at = ? WHERE user_id = ? AND password_hash = ?",
                [hash, now, user, expected]
            )
            return db.changesCount == 1
        }
    }

    /// A user's account, deleted or not; nil if there never was one. Primary key.
    package func account(_ id: UserID) async throws(StoreError) -> Account? {
        try await read { db in try AccountRecord.fetch(id, from: db) }
    }

    /// The user with exactly this folded nickname, unless they are being deleted. Index `user_by_nickname`.
    package func user(nicknameKey: String) async throws(StoreError) -> UserCard? {
        try await read { db in
            try db.row(
                "SELECT \(AccountRecord.cardColumns) FROM user WHERE nickname_key = ? AND deleting_at IS NULL",
                [nicknameKey]
            ).map(AccountRecord.card)
        }
    }

    /// The cards of these users; deleted ones are "deleted user", unknown ones are absent. Primary key.
    package func cards(of users: some Sequence<UserID> & Sendable) async throws(StoreError) -> [UserID: UserCard] {
        let users = Set(users)
        return try await read { db in
            var cards: [UserID: UserCard] = [:]
            for user in users {
                cards[user] = try db.row("SELECT \(AccountRecord.cardColumns) FROM user WHERE id = ?", [user])
                    .map(AccountRecord.card)
            }
            return cards
        }
    }

    /// Disables an account and revokes its sessions, in one transaction; sign-in fails until it is enabled.
    ///
    /// - Parameter audit: written in the same transaction if an administrator requested this.
    /// - Returns: `true` if it was enabled before; `false` also for an unknown or deleted account.
    package func disable(_ user: UserID, at now: Instant, audit: AuditEntry? = nil) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run(
                "UPDATE user SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL AND deleted_at IS NULL",
                [now, user]
            )
            guard db.changesCount == 1 else { return false }
            _ = try AuthSessionRecord.revokeAll(of: user, except: nil, at: now, in: db)
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }

    /// Enables a disabled account; its sessions stay revoked.
    ///
    /// - Parameter audit: written in the same transaction if an administrator requested this.
    /// - Returns: `true` if it was disabled before.
    package func enable(_ user: UserID, audit: AuditEntry? = nil) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run(
                "UPDATE user SET disabled_at = NULL WHERE id = ? AND disabled_at IS NOT NULL AND deleted_at IS NULL",
                [user]
            )
            guard db.changesCount == 1 else { return false }
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }
}

package protocol HasAccounts: Sendable {
    var accounts: AccountStore { get }
}
