package import PromisedDomain

/// One sign-in, which access tokens name as `sid`; refresh tokens keep it alive.
package struct AuthSession: Hashable, Sendable {
    /// `sid` in access tokens.
    package let id: SignInID
    /// The user who signed in.
    package let userID: UserID
    /// The device's name as the client gave it, possibly empty.
    package var deviceLabel: String
    package var createdAt: Instant
    /// When it was revoked; nil while it is valid.
    package var revokedAt: Instant?

    /// A valid session.
    package init(id: SignInID, userID: UserID, deviceLabel: String = "", createdAt: Instant) {
        self.id = id
        self.userID = userID
        self.deviceLabel = deviceLabel
        self.createdAt = createdAt
    }
}

enum AuthSessionRecord {
    static func session(_ row: SQLRow) throws -> AuthSession {
        var session = AuthSession(
            id: try row.value("id"),
            userID: try row.value("user_id"),
            deviceLabel: try row.value("device_label"),
            createdAt: try row.value("created_at")
        )
        session.revokedAt = try row.value("revoked_at")
        return session
    }

    /// Deletes the user's oldest sessions to make room for one more. Index `auth_session_by_user`. Returns the deleted
    /// sessions that were valid.
    static func makeRoom(for user: UserID, limit: Int, in db: SQLConnection) throws -> [SignInID] {
        try db.rows(
            """
            DELETE FROM auth_session WHERE id IN (
                SELECT id FROM auth_session WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?
            )
            RETURNING id, revoked_at
            """,
            [user, limit - 1]
        ).filter { try $0.value("revoked_at") as Instant? == nil }.map { try $0.value("id") }
    }

    /// Revokes all sessions of a user except one. Index `auth_session_by_user`. Returns the sessions that were valid,
    /// in order of their ids.
    static func revokeAll(
        of user: UserID,
        except kept: SignInID?,
        at now: Instant,
        in db: SQLConnection
    ) throws -> [SignInID] {
        try db.rows(
            """
            UPDATE auth_session SET revoked_at = ? WHERE user_id = ? AND id IS NOT ? AND revoked_at IS NULL
            RETURNING id
            """,
            [now, user, kept]
        ).map { try $0.value("id") as SignInID }.sorted()
    }
}
