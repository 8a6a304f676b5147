internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A row of `refresh_token` with what its session and user say about it.
///
/// ```
///           rotate              rotate of another, or 60 s
/// current ─────────▶ replaced ─────────────────────────────▶ spent
///                     │    ▲
///                     └────┘ shown again: the successor is replaced, too
/// ```
struct RefreshTokenRecord {
    private let sessionID: AuthSessionID
    private let userID: UserID
    private let expiresAt: Instant
    private let replacedAt: Instant?
    private let successor: Data?
    private let isSuccessorUsed: Bool
    private let isRevoked: Bool

    /// Adds a token that is good.
    static func insert(hash: Data, session: AuthSessionID, expiresAt: Instant, into db: Database) throws {
        try db.run(
            "INSERT INTO refresh_token (hash, session_id, expires_at) VALUES (?, ?, ?)",
            [hash, session, expiresAt]
        )
    }

    /// Decides what the token may do and does it.
    static func rotate(
        _ hash: Data,
        to newHash: Data,
        expiresAt: Instant,
        now: Instant,
        overlap: TimeSpan,
        of user: UserID?,
        in db: Database
    ) throws -> RefreshOutcome {
        guard let token = try RefreshTokenRecord(hash: hash, from: db) else { return .unknown }
        if let user, token.userID != user { return .foreign }
        if token.isRevoked { return .revoked }
        guard token.isAcceptable(at: now, overlap: overlap) else {
            try db.run("UPDATE auth_session SET revoked_at = ? WHERE id = ?", [now, token.sessionID])
            return .reused(userID: token.userID, sessionID: token.sessionID)
        }
        guard now < token.expiresAt else { return .expired }
        try insert(hash: newHash, session: token.sessionID, expiresAt: expiresAt, into: db)
        try token.replace(hash, by: newHash, at: now, in: db)
        return .rotated(userID: token.userID, sessionID: token.sessionID)
    }

    // Primary keys throughout.
    private init?(hash: Data, from db: Database) throws {
        let row = try db.row(
            """
            SELECT token.*, auth_session.user_id AS user_id, next.replaced_at IS NOT NULL AS is_successor_used,
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

    // On a retry the tokens that led to the old successor, and the old successor itself, lead to the new one: each may
    // still be the one that a client held on to. Index `refresh_token_by_session`.
    private func replace(_ hash: Data, by newHash: Data, at now: Instant, in db: Database) throws {
        try db.run(
            "UPDATE refresh_token SET successor = ? WHERE session_id = ? AND successor = ?",
            [newHash, sessionID, successor]
        )
        try db.run(
            """
            UPDATE refresh_token SET successor = ?, replaced_at = coalesce(replaced_at, ?)
            WHERE hash = ? OR hash = ?
            """,
            [newHash, now, hash, successor]
        )
    }
}
