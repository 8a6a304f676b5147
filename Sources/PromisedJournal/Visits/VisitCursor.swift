package import PromisedDomain

/// The end of a page of visits; the list is sorted by their instants, newest first, then by id, largest first.
package struct VisitCursor: Hashable, Sendable, CustomStringConvertible {
    /// The instant of the last visit read.
    package var at: Instant
    /// The last visit read.
    package var id: VisitID

    /// The position before the newest visit that is earlier than an instant.
    package static func before(_ instant: Instant) -> VisitCursor {
        VisitCursor(at: instant, id: VisitID(high: 0, low: 0))
    }

    /// The position before the newest visit.
    package static let beginning = VisitCursor(at: Instant(milliseconds: .max), id: VisitID(high: .max, low: .max))

    private init(at: Instant, id: VisitID) {
        self.at = at
        self.id = id
    }

    /// A cursor after a visit.
    package init(_ visit: Visit) { self.init(at: visit.moment.at, id: visit.id) }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == VisitCursor.kind, parts.text.isEmpty else { return nil }
        self.init(
            at: Instant(milliseconds: parts.number),
            id: VisitID(high: parts.id.high, low: parts.id.low)
        )
    }

    /// `true` if a list shows the end of `left` before that of `right`.
    package static func isEarlier(_ left: VisitCursor, _ right: VisitCursor) -> Bool {
        (left.at, left.id) > (right.at, right.id)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(kind: VisitCursor.kind, number: at.milliseconds, id: (id.high, id.low), text: "").description
    }

    private static let kind = UInt8(ascii: "b")
}
