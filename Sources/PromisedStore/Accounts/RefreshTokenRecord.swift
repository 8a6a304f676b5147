internal import Foundation
package import PromisedDomain

/// A row of `refresh_token` with the state of its session and user.
///
/// ```
///           rotate              rotate of another, or 60 s
/// current ─────────▶ replaced ─────────────────────────────▶ spent
///                     │    ▲
///                     └────┘ shown again: the successor is replaced, too
/// ```
/// Spent rows are deleted with the next rotation, so a session has few rows however often it is refreshed. The family
/// distinguishes a spent token from one that never existed: the remaining rows of its session have the same family.
struct RefreshTokenRecord {
    /// Redirects a session's replaced tokens from one successor to another. Index `refresh_token_by_session`.
    static let redirect = "UPDATE refresh_token SET successor = ? WHERE session_id = ? AND successor = ?"
    /// Deletes a session's tokens whose successor has been used, except those without a family, which only their row
    /// identifies. Index `refresh_token_by_session`.
    static let dropSpent = "DELETE FROM refresh_token WHERE session_id = ? AND successor = ? AND family IS NOT NULL"
    /// The session of a family. Index `refresh_token_by_family`, primary keys.
    static let sessionOfFamily = """
        SELECT session_id, user_id, revoked_at IS NOT NULL OR disabled_at IS NOT NULL OR deleted_at IS NOT NULL AS is_revoked
        FROM refresh_token
        JOIN auth_session ON auth_session.id = session_id
        JOIN user ON user.id = user_id
        WHERE family = ? LIMIT 1
        """

    private let sessionID: SignInID
    private let userID: UserID
    private let expiresAt: Instant
    private let replacedAt: Instant?
    private let successor: Data?
    private let isSuccessorUsed: Bool
    private let isRevoked: Bool

    /// The arguments of a rotation, see ``AccountStore/rotateRefreshToken(_:to:newExpiry:now:overlap:of:isAllowed:)``.
    struct Rotation {
        let hash: RefreshHash
        let newHash: RefreshHash
        let newExpiry: Instant
        let now: Instant
        let overlap: TimeSpan
        let user: UserID?
        let isAllowed: Bool
    }

    static func insert(_ hash: RefreshHash, session: SignInID, expiresAt: Instant, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO refresh_token (hash, session_id, expires_at, family) VALUES (?, ?, ?, ?)",
            [Data(hash.token), session, expiresAt, hash.family.map { Data($0) }]
        )
    }

    /// Applies the rotation to the presented token.
    static func rotate(_ rotation: Rotation, in db: SQLConnection) throws -> RefreshOutcome {
        let (hash, newHash) = (Data(rotation.hash.token), Data(rotation.newHash.token))
        guard let token = try RefreshTokenRecord(hash: hash, from: db) else { return try showSpent(rotation, in: db) }
        if let user = rotation.user, token.userID != user { return .foreign }
        if token.isRevoked { return .revoked }
        guard token.isAcceptable(at: rotation.now, overlap: rotation.overlap) else {
            return try revoke(token.sessionID, of: token.userID, at: rotation.now, in: db)
        }
        guard rotation.now < token.expiresAt else { return .expired }
        guard rotation.isAllowed else { return .tooOften(token.sessionID) }
        try insert(rotation.newHash, session: token.sessionID, expiresAt: rotation.newExpiry, into: db)
        try token.replace(hash, by: newHash, at: rotation.now, in: db)
        return .rotated(userID: token.userID, sessionID: token.sessionID)
    }

    /// Handles a token without a row: it is spent if its family has a row.
    private static func showSpent(_ rotation: Rotation, in db: SQLConnection) throws -> RefreshOutcome {
        guard let family = rotation.hash.family, let row = try db.row(sessionOfFamily, [Data(family)]) else {
            return .unknown
        }
        let userID: UserID = try row.value("user_id")
        if let user = rotation.user, userID != user { return .foreign }
        if try row.value("is_revoked") { return .revoked }
        return try revoke(try row.value("session_id"), of: userID, at: rotation.now, in: db)
    }

    private static func revoke(
        _ session: SignInID,
        of userID: UserID,
        at now: Instant,
        in db: SQLConnection
    ) throws -> RefreshOutcome {
        try db.run("UPDATE auth_session SET revoked_at = ? WHERE id = ?", [now, session])
        return .reused(userID: userID, sessionID: session)
    }

    // Primary keys throughout.
    private init?(hash: Data, from db: SQLConnection) throws {
        let row = try db.row(
            """
            SELECT token.*, auth_session.user_id AS user_id,
                token.successor IS NOT NULL AND (next.hash IS NULL OR next.replaced_at IS NOT NULL) AS is_successor_used,
                revoked_at IS NOT NULL OR disabled_at IS NOT NULL OR deleted_at IS NOT NULL AS is_revoked
            FROM refresh_token AS token
            JOIN auth_session ON auth_session.id = token.session_id
            JOIN user ON user.id = auth_session.user_id
            LEFT JOIN refresh_token AS next ON next.hash = token.successor
            WHERE token.hash = ?
            """,
            [hash]
        )
        guard let row else { return nil }
        sessionID = try row.value("session_id")
        userID = try row.value("user_id")
        expiresAt = try row.value("expires_at")
        replacedAt = try row.value("replaced_at")
        successor = try row.value("successor")
        isSuccessorUsed = try row.value("is_successor_used")
        isRevoked = try row.value("is_revoked")
    }

    private func isAcceptable(at now: Instant, overlap: TimeSpan) -> Bool {
        guard let replacedAt else { return true }
        return !isSuccessorUsed && now < replacedAt + overlap
    }

    // On a retry, the tokens that led to the old successor, and the old successor itself, lead to the new one: the
    // client may hold any of them. The first use of a token makes those that led to it spent.
    private func replace(_ hash: Data, by newHash: Data, at now: Instant, in db: SQLConnection) throws {
        if let successor {
            try db.run(Self.redirect, [newHash, sessionID, successor])
        } else {
            try db.run(Self.dropSpent, [sessionID, hash])
        }
        try db.run(
            """
            UPDATE refresh_token SET successor = ?, replaced_at = coalesce(replaced_at, ?)
            WHERE hash = ? OR hash = ?
            """,
            [newHash, now, hash, successor]
        )
    }
}

/// The outcome of presenting a refresh token.
package enum RefreshOutcome: Hashable, Sendable {
    /// The token was valid and has been replaced by the new one.
    case rotated(userID: UserID, sessionID: SignInID)
    /// The token had been replaced and is no longer accepted: its session is now revoked.
    case reused(userID: UserID, sessionID: SignInID)
    /// The token was never issued, or expired long ago.
    case unknown
    /// The token has expired.
    case expired
    /// The token's session was already revoked, or its user is disabled or deleted.
    case revoked
    /// The token belongs to a user other than the expected one; nothing was changed.
    case foreign
    /// The session was refreshed too often recently; nothing was changed.
    case tooOften(SignInID)
}
