package import PromisedDomain

/// An administrator's action.
package struct AuditEntry: Hashable, Sendable {
    /// On the server's clock.
    package var at: Instant
    /// The administrator: the token's name, or `promised` for the command-line program on the server's machine.
    package var actor: String
    /// The action: the form's name, such as `disableUser`.
    package var action: String
    /// The object of the action: an id, or empty.
    package var subject: String
    /// Details for people; without secrets, and without data that must be deleted with an account.
    package var detail: String

    package init(at: Instant, actor: String, action: String, subject: String = "", detail: String = "") {
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
    }

    /// The same entry about a subject that the action created.
    func about(_ subject: String) -> AuditEntry {
        var entry = self
        entry.subject = subject
        return entry
    }
}

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
