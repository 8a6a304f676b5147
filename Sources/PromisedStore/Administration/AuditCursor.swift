/// Where a page of the audit ended: it goes by the order of writing, newest first.
public struct AuditCursor: Hashable, Sendable, CustomStringConvertible {
    /// The number of the last entry shown.
    public var number: Int64

    /// A cursor behind an entry.
    public init(number: Int64) {
        self.number = number
    }

    /// A cursor from its opaque text; nil for any other text.
    public init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == AuditCursor.kind, parts.text.isEmpty else { return nil }
        self.init(number: parts.number)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    public var description: String {
        CursorText(kind: AuditCursor.kind, number: number, id: (0, 0), text: "").description
    }

    private static let kind = UInt8(ascii: "a")
}
