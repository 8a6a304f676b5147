internal import GRDB
public import PromisedDomain

/// Something an administrator did.
public struct AuditEntry: Hashable, Sendable {
    /// When, on the server's clock.
    public var at: Instant
    /// Who: the token's name, or `promised` for the command on the server's machine.
    public var actor: String
    /// What: the form's name, such as `disableUser`.
    public var action: String
    /// To what: an id, or empty.
    public var subject: String
    /// More about it, for people; never a secret, and nothing that must go with an account.
    public var detail: String

    /// An entry with all its fields.
    public init(at: Instant, actor: String, action: String, subject: String = "", detail: String = "") {
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
    }

    /// The same about something that was only made by what it tells of.
    func about(_ subject: String) -> AuditEntry {
        var entry = self
        entry.subject = subject
        return entry
    }
}

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
    ///
    /// - Parameter isAdmin: whether an administrator did it; else a user.
    static func insert(_ entry: AuditEntry?, isAdmin: Bool = true, into db: Database) throws {
        guard let entry else { return }
        try db.run(
            "INSERT INTO audit (at, actor, action, subject, detail, is_admin) VALUES (?, ?, ?, ?, ?, ?)",
            [entry.at, entry.actor, entry.action, entry.subject, entry.detail, isAdmin]
        )
    }
}
