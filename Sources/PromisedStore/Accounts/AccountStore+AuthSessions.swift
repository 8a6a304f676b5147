internal import Foundation
package import PromisedDomain

extension AccountStore {
    /// Begins a session with its first refresh token; deletes the user's oldest sessions to make room. Index
    /// `auth_session_by_user`.
    ///
    /// - Parameters:
    ///   - session: the new session.
    ///   - refreshHash: the stored form of its first token; the token itself is never stored.
    ///   - refreshExpiresAt: the first instant at which the token is invalid.
    ///   - limit: the most sessions that a user can have, including this one and revoked ones; at least 1.
    ///   - callers: the caller's digests, by which the account recognises it from now on.
    /// - Returns: the valid sessions that were deleted to make room; nil, with nothing written, if the account was
    ///   disabled or deleted since its password was checked.
    @discardableResult
    package func createAuthSession(
        _ session: AuthSession,
        refreshHash: RefreshHash,
        refreshExpiresAt: Instant,
        limit: Int,
        callers: SeenCallers = .nobody
    ) async throws(StoreError) -> [SignInID]? {
        try await write { db in
            if let account = try AccountRecord.fetch(session.userID, from: db), !account.isUsable { return nil }
            let gone = try AuthSessionRecord.makeRoom(for: session.userID, limit: limit, in: db)
            try db.run(
                "INSERT INTO auth_session (id, user_id, device_label, created_at) VALUES (?, ?, ?, ?)",
                [session.id, session.userID, session.deviceLabel, session.createdAt]
            )
            try RefreshTokenRecord.insert(refreshHash, session: session.id, expiresAt: refreshExpiresAt, into: db)
            try KnownCallerRecord.note(callers, of: session.userID, at: session.createdAt, in: db)
            return gone
        }
    }

    /// A session, valid or revoked. Primary key.
    package func authSession(_ id: SignInID) async throws(StoreError) -> AuthSession? {
        try await read { db in
            try db.row("SELECT * FROM auth_session WHERE id = ?", [id]).map(AuthSessionRecord.session)
        }
    }

    /// The session `id`, valid or revoked, and the account of `user`; each nil if it does not exist. Primary keys, one
    /// read.
    package func authSession(
        _ id: SignInID,
        withAccountOf user: UserID
    ) async throws(StoreError) -> (session: AuthSession?, account: Account?) {
        try await read { db in
            let row = try db.row("SELECT * FROM auth_session WHERE id = ?", [id])
            return (try row.map(AuthSessionRecord.session), try AccountRecord.fetch(user, from: db))
        }
    }

    /// The sessions of a user, valid and revoked, oldest first. Index `auth_session_by_user`.
    package func authSessions(of user: UserID) async throws(StoreError) -> [AuthSession] {
        try await read { db in
            try db.rows("SELECT * FROM auth_session WHERE user_id = ? ORDER BY created_at, id", [user])
                .map(AuthSessionRecord.session)
        }
    }

    /// Revokes a session.
    ///
    /// - Parameter user: the user to whom it must belong; nil for any.
    /// - Returns: `true` if it was valid before.
    package func revoke(_ id: SignInID, of user: UserID? = nil, at now: Instant) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE auth_session SET revoked_at = ?1
                WHERE id = ?2 AND revoked_at IS NULL AND (?3 IS NULL OR user_id = ?3)
                """,
                [now, id, user]
            )
            return db.changesCount == 1
        }
    }

    /// Revokes all sessions of a user, optionally except one. Index `auth_session_by_user`.
    ///
    /// - Parameter audit: written in the same transaction if an administrator requested this.
    /// - Returns: the sessions that were valid, in order of their ids.
    package func revokeAll(
        of user: UserID,
        except kept: SignInID? = nil,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> [SignInID] {
        try await write { db in
            try AuditRecord.insert(audit, into: db)
            return try AuthSessionRecord.revokeAll(of: user, except: kept, at: now, in: db)
        }
    }

    /// Replaces a refresh token by a new one, in one transaction (domain §2).
    ///
    /// A token that was replaced is accepted again for 60 s while its successor is unused, because the answer that
    /// carried the successor may have been lost; the successor is then itself replaced by the new token. Any other use
    /// of a replaced token revokes the session: one of its two holders is a thief.
    ///
    /// - Parameters:
    ///   - hash: the stored form of the token that was presented.
    ///   - newHash: the stored form of its replacement, which has the same family, if any.
    ///   - newExpiry: the first instant at which the new one is invalid.
    ///   - now: the instant of the request.
    ///   - overlap: how long the token that was just replaced is accepted again while its successor is unused.
    ///   - user: the user to whom the token must belong; nil for any.
    ///   - isAllowed: `true` if the session may be refreshed once more; checked last, so that a token presented by a thief
    ///     ends the session in any case.
    package func rotateRefreshToken(
        _ hash: RefreshHash,
        to newHash: RefreshHash,
        newExpiry: Instant,
        now: Instant,
        overlap: TimeSpan = .seconds(60),
        of user: UserID? = nil,
        isAllowed: Bool = true
    ) async throws(StoreError) -> RefreshOutcome {
        let rotation = RefreshTokenRecord.Rotation(
            hash: hash,
            newHash: newHash,
            newExpiry: newExpiry,
            now: now,
            overlap: overlap,
            user: user,
            isAllowed: isAllowed
        )
        return try await write { db in try RefreshTokenRecord.rotate(rotation, in: db) }
    }

    /// The session that a refresh token belongs to; nil if the token is unknown or belongs to another user. Primary keys.
    ///
    /// - Parameter user: the user to whom the token must belong; nil for any.
    package func session(refreshedBy hash: RefreshHash, of user: UserID? = nil) async throws(StoreError) -> SignInID? {
        try await read { db in
            let row = try db.row(
                """
                SELECT session_id, user_id FROM refresh_token JOIN auth_session ON auth_session.id = session_id
                WHERE hash = ?
                """,
                [Data(hash.token)]
            )
            guard let row, try user == nil || row.value("user_id") == user else { return nil }
            return try row.value("session_id")
        }
    }

    /// Deletes refresh tokens that expired before an instant, and sessions that began before it and have no tokens
    /// left. Index `refresh_token_by_expiry`.
    package func deleteRefreshTokens(expiredBefore instant: Instant) async throws(StoreError) {
        try await write { db in
            try db.run("DELETE FROM refresh_token WHERE expires_at < ?", [instant])
            try db.run(
                """
                DELETE FROM auth_session WHERE created_at < ?
                AND NOT EXISTS (SELECT 1 FROM refresh_token WHERE session_id = auth_session.id)
                """,
                [instant]
            )
        }
    }
}
