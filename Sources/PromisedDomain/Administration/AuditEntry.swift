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
    package func about(_ subject: String) -> AuditEntry {
        var entry = self
        entry.subject = subject
        return entry
    }
}

/// The end of a page of the audit, which lists entries in order of writing, newest first.
package struct AuditCursor: Hashable, Sendable, CustomStringConvertible {
    /// The number of the last entry shown.
    package var number: Int64

    /// A cursor after an entry.
    package init(number: Int64) { self.number = number }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == AuditCursor.kind, parts.text.isEmpty else { return nil }
        self.init(number: parts.number)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(kind: AuditCursor.kind, number: number, id: (0, 0), text: "").description
    }

    private static let kind = UInt8(ascii: "a")
}
