internal import Foundation
internal import GRDB
public import PromisedDomain

extension Store {
    /// Adds an administrator's token.
    ///
    /// - Parameters:
    ///   - token: what is known about it afterwards.
    ///   - hash: the SHA-256 of its secret; the secret itself is never stored.
    ///   - audit: who made it.
    public func createAdminToken(
        _ token: AdminToken,
        hash: [UInt8],
        audit: AuditEntry
    ) async throws(StoreError) {
        let hash = Data(hash)
        try await write { db in
            try AdminTokenRecord.insert(token, hash: hash, into: db)
            try AuditRecord.insert(audit, into: db)
        }
    }

    /// Adds the very first token, as which one from a file is taken; nothing happens when there ever was a token.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    public func createFirstAdminToken(
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

    /// Whether there ever was an administrator's token.
    public func hasAdminTokens() async throws(StoreError) -> Bool {
        try await read { db in try db.row("SELECT 1 FROM admin_token LIMIT 1") != nil }
    }

    /// The token whose secret has this SHA-256, good or not; nil when nobody was given it. Index `admin_token_by_hash`.
    public func adminToken(hash: [UInt8]) async throws(StoreError) -> AdminToken? {
        let hash = Data(hash)
        return try await read { db in
            try db.row("SELECT * FROM admin_token WHERE hash = ?", [hash]).map(AdminTokenRecord.token)
        }
    }

    /// All tokens, newest first.
    public func adminTokens(limit: Int = 200) async throws(StoreError) -> [AdminToken] {
        try await read { db in
            try db.rows("SELECT * FROM admin_token ORDER BY created_at DESC, id DESC LIMIT ?", [limit])
                .map(AdminTokenRecord.token)
        }
    }

    /// Takes note that a token is used. Primary key.
    public func noteUse(of token: AdminTokenID, at now: Instant) async throws(StoreError) {
        try await write { db in
            try db.run("UPDATE admin_token SET last_used_at = ? WHERE id = ?", [now, token])
        }
    }

    /// Makes a token invalid. Primary key.
    ///
    /// - Returns: whether it was not revoked until now; nil when there is no such token. The audit has a row only for
    ///   true.
    public func revokeAdminToken(
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
