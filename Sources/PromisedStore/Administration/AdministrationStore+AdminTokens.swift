internal import Foundation
package import PromisedDomain

extension AdministrationStore {
    /// Adds an administrator's token.
    ///
    /// - Parameters:
    ///   - token: its public part.
    ///   - hash: the SHA-256 of its secret; the secret itself is never stored.
    ///   - audit: the entry that names its creator.
    package func createAdminToken(_ token: AdminToken, hash: [UInt8], audit: AuditEntry) async throws(StoreError) {
        let hash = Data(hash)
        try await write { db in
            try AdminTokenRecord.insert(token, hash: hash, into: db)
            try AuditRecord.insert(audit, into: db)
        }
    }

    /// Adds the very first token, which comes from a file; does nothing if a token was ever stored. Returns `true` if
    /// it was added.
    @discardableResult
    package func createFirstAdminToken(
        _ token: AdminToken,
        hash: [UInt8],
        audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        let hash = Data(hash)
        return try await write { db in
            guard try db.row("SELECT 1 FROM admin_token LIMIT 1") == nil else { return false }
            try AdminTokenRecord.insert(token, hash: hash, into: db)
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }

    /// `true` if an administrator's token was ever stored.
    package func hasAdminTokens() async throws(StoreError) -> Bool {
        try await read { db in try db.row("SELECT 1 FROM admin_token LIMIT 1") != nil }
    }

    /// The token whose secret has this SHA-256, valid or not; nil if unknown. Index `admin_token_by_hash`.
    package func adminToken(hash: [UInt8]) async throws(StoreError) -> AdminToken? {
        let hash = Data(hash)
        return try await read { db in
            try db.row("SELECT * FROM admin_token WHERE hash = ?", [hash]).map(AdminTokenRecord.token)
        }
    }

    /// All tokens, newest first.
    package func adminTokens(limit: Int = 200) async throws(StoreError) -> [AdminToken] {
        try await read { db in
            try db.rows("SELECT * FROM admin_token ORDER BY created_at DESC, id DESC LIMIT ?", [limit])
                .map(AdminTokenRecord.token)
        }
    }

    /// Stores when a token was last used. Primary key.
    package func noteUse(of token: AdminTokenID, at now: Instant) async throws(StoreError) {
        try await write { db in
            try db.run("UPDATE admin_token SET last_used_at = ? WHERE id = ?", [now, token])
        }
    }

    /// Revokes a token. Primary key. Returns `true` if this call revoked it, `false` if it was already revoked, nil if
    /// it does not exist. Only `true` writes an audit row.
    package func revokeAdminToken(
        _ token: AdminTokenID,
        at now: Instant,
        audit: AuditEntry
    ) async throws(StoreError) -> Bool? {
        try await write { db in
            guard let row = try db.row("SELECT revoked_at FROM admin_token WHERE id = ?", [token]) else { return nil }
            guard try row.value("revoked_at") as Instant? == nil else { return false }
            try db.run("UPDATE admin_token SET revoked_at = ? WHERE id = ?", [now, token])
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }
}

enum AdminTokenRecord {
    static func token(_ row: SQLRow) throws -> AdminToken {
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

    static func insert(_ token: AdminToken, hash: Data, into db: SQLConnection) throws {
        try db.run(
            "INSERT INTO admin_token (id, hash, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
            [token.id, hash, token.name, token.createdAt, token.expiresAt]
        )
    }
}
