internal import Foundation
internal import GRDB
public import PromisedDomain

/// What became of a change of password.
public enum PasswordChangeOutcome: Hashable, Sendable {
    /// The new one counts; these sessions were good until now, in order of their ids.
    case changed(revoked: [SignInID])
    /// Another hash is stored by now, or none; nothing was written.
    case superseded
    /// The session that was to be kept is not good any more; nothing was written.
    case sessionEnded
}

extension Store {
    /// Replaces a password in one transaction: the hash, all other sessions revoked, and the refresh tokens of the
    /// session that stays replaced by a new one, since whoever knew the old password may hold those.
    ///
    /// - Parameters:
    ///   - user: whose.
    ///   - expected: the hash that the old password was checked against.
    ///   - hash: the hash of the new one.
    ///   - session: the session that stays.
    ///   - refreshHash: what is kept of that session's new refresh token.
    ///   - refreshExpiresAt: the first instant at which that token is no longer good.
    ///   - now: the instant of the request.
    public func changePassword(
        of user: UserID,
        from expected: String,
        to hash: String,
        keeping session: SignInID,
        refreshHash: RefreshHash,
        refreshExpiresAt: Instant,
        at now: Instant
    ) async throws(StoreError) -> PasswordChangeOutcome {
        try await write { db in
            guard try AuthSessionRecord.isGood(session, of: user, in: db) else { return .sessionEnded }
            try db.run(
                "UPDATE credential SET password_hash = ?, changed_at = ? WHERE user_id = ? AND password_hash = ?",
                [hash, now, user, expected]
            )
            guard db.changesCount == 1 else { return .superseded }
            try db.run("DELETE FROM refresh_token WHERE session_id = ?", [session])
            try RefreshTokenRecord.insert(refreshHash, session: session, expiresAt: refreshExpiresAt, into: db)
            return .changed(
                revoked: try AuthSessionRecord.revokeAll(of: user, except: session, at: now, in: db)
            )
        }
    }
}

extension AuthSessionRecord {
    /// Whether a session is this user's and was not ended. Primary key.
    fileprivate static func isGood(_ session: SignInID, of user: UserID, in db: Database) throws -> Bool {
        try db.row(
            "SELECT 1 FROM auth_session WHERE id = ? AND user_id = ? AND revoked_at IS NULL",
            [session, user]
        ) != nil
    }
}
