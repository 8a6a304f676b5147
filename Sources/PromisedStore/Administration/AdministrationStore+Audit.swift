package import PromisedDomain

extension AdministrationStore {
    /// Writes an audit entry for an action whose effect could not be written in the same transaction.
    package func record(_ entry: AuditEntry) async throws(StoreError) {
        try await write { db in try AuditRecord.insert(entry, into: db) }
    }

    /// The administrators' actions, newest first. Index `audit_by_admin`.
    ///
    /// - Parameters:
    ///   - since: only actions at or after this instant; nil for all.
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func audit(
        since: Instant? = nil,
        after cursor: AuditCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<AuditEntry, AuditCursor> {
        try await read { db in
            let rows = try db.rows(
                """
                SELECT * FROM audit INDEXED BY audit_by_admin
                WHERE is_admin = 1 AND (:cursor IS NULL OR id < :cursor) AND (:since IS NULL OR at >= :since)
                ORDER BY id DESC LIMIT :limit
                """,
                named: ["since": since, "cursor": cursor?.number, "limit": limit + 1]
            )
            let last = rows.count > limit ? rows[limit - 1] : nil
            return Page(
                items: try rows.prefix(limit).map(AuditRecord.entry),
                next: try last.map { AuditCursor(number: try $0.value("id")) }
            )
        }
    }
}
