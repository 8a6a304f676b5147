internal import GRDB
public import PromisedDomain

extension Store {
    /// Disables an account and revokes its sessions, in one transaction; nobody can sign in to it until it is enabled.
    ///
    /// - Parameter audit: written with it when an administrator does it.
    /// - Returns: whether it was enabled until now; false also for an unknown or deleted one.
    public func disable(
        _ user: UserID,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Bool {
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

    /// Enables an account that was disabled; its sessions stay revoked.
    ///
    /// - Parameter audit: written with it when an administrator does it.
    /// - Returns: whether it was disabled until now.
    public func enable(_ user: UserID, audit: AuditEntry? = nil) async throws(StoreError) -> Bool {
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
