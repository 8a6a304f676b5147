internal import Foundation
package import PromisedDomain

package enum PasswordChangeOutcome: Hashable, Sendable {
    /// The new password is stored; these sessions were revoked, in order of their ids.
    case changed(revoked: [SignInID])
    /// The stored hash differs from the expected one, or there is none; nothing was written.
    case superseded
    /// The session to keep is no longer valid; nothing was written.
    case sessionEnded
}

extension AccountStore {
    /// Replaces a password in one transaction: stores the hash, revokes all other sessions, and replaces the refresh
    /// tokens of the remaining session, because anyone who knew the old password may hold the old tokens.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - expected: the hash that the old password was checked against.
    ///   - hash: the hash of the new one.
    ///   - session: the session that remains.
    ///   - refreshHash: the stored form of that session's new refresh token.
    ///   - refreshExpiresAt: the first instant at which that token is invalid.
    ///   - now: the instant of the request.
    package func changePassword(
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
            return .changed(revoked: try AuthSessionRecord.revokeAll(of: user, except: session, at: now, in: db))
        }
    }
}

extension AuthSessionRecord {
    /// `true` if the session belongs to the user and is not revoked. Primary key.
    fileprivate static func isGood(_ session: SignInID, of user: UserID, in db: SQLConnection) throws -> Bool {
        try db.row(
            "SELECT 1 FROM auth_session WHERE id = ? AND user_id = ? AND revoked_at IS NULL",
            [session, user]
        ) != nil
    }
}
