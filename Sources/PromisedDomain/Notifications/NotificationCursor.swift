/// The end of a page of notifications; the list is sorted by instant, newest first, then by id, largest first.
package struct NotificationCursor: Hashable, Sendable, CustomStringConvertible {
    /// The instant of the last notification shown.
    package var at: Instant
    /// The last notification shown.
    package var id: NotificationID

    /// The position before the newest notification.
    package static let beginning = NotificationCursor(
        at: Instant(milliseconds: .max),
        id: NotificationID(high: .max, low: .max)
    )

    private init(at: Instant, id: NotificationID) {
        self.at = at
        self.id = id
    }

    package init(_ entry: NotificationEntry) { self.init(at: entry.notification.at, id: entry.notification.id) }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == NotificationCursor.kind, parts.text.isEmpty else {
            return nil
        }
        let id = NotificationID(high: parts.id.high, low: parts.id.low)
        self.init(at: Instant(milliseconds: parts.number), id: id)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(kind: NotificationCursor.kind, number: at.milliseconds, id: (id.high, id.low), text: "").description
    }

    private static let kind = UInt8(ascii: "n")
}
