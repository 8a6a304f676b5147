internal import GRDB
internal import PromisedDomain

/// A row of `audit` that an administrator caused.
enum AuditRecord {
    /// The entry in a row that holds all columns.
    static func entry(_ row: Row) throws -> AuditEntry {
        AuditEntry(
            at: try row.value("at"),
            actor: try row.value("actor"),
            action: try row.value("action"),
            subject: try row.value("subject"),
            detail: try row.value("detail")
        )
    }

    /// Adds an entry, if there is one, to the transaction that does what it tells of.
    static func insert(_ entry: AuditEntry?, into db: Database) throws {
        guard let entry else { return }
        try db.run(
            "INSERT INTO audit (at, actor, action, subject, detail, is_admin) VALUES (?, ?, ?, ?, ?, 1)",
            [entry.at, entry.actor, entry.action, entry.subject, entry.detail]
        )
    }
}
