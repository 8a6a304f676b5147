internal import PromisedDomain

/// A row of `audit`.
enum AuditRecord {
    static func entry(_ row: SQLRow) throws -> AuditEntry {
        AuditEntry(
            at: try row.value("at"),
            actor: try row.value("actor"),
            action: try row.value("action"),
            subject: try row.value("subject"),
            detail: try row.value("detail")
        )
    }

    /// Adds an entry, if any, in the transaction of the action.
    ///
    /// - Parameter isAdmin: `true` for an administrator's action, `false` for a user's.
    static func insert(_ entry: AuditEntry?, isAdmin: Bool = true, into db: SQLConnection) throws {
        guard let entry else { return }
        try db.run(
            "INSERT INTO audit (at, actor, action, subject, detail, is_admin) VALUES (?, ?, ?, ?, ?, ?)",
            [entry.at, entry.actor, entry.action, entry.subject, entry.detail, isAdmin]
        )
    }
}
