internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A row of `admin_token`.
enum AdminTokenRecord {
    /// The token in a row that holds all columns.
    static func token(_ row: Row) throws -> AdminToken {
        var token = AdminToken(
            id: try row.value("id"),
            name: try row.value("name"),
            createdAt: try row.value("created_at"),
            expiresAt: try row.value("expires_at")
        )
        token.revokedAt = try row.value("revoked_at")
        token.lastUsedAt = try row.value("last_used_at")
        return token
    }

    /// Adds a token.
    static func insert(_ token: AdminToken, hash: Data, into db: Database) throws {
        try db.run(
            "INSERT INTO admin_token (id, hash, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
            [token.id, hash, token.name, token.createdAt, token.expiresAt]
        )
    }
}
