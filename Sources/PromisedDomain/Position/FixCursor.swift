/// The start of a page of stored positions. The list is in order of storing, so new positions are always at its end.
package struct FixCursor: Hashable, Sendable, CustomStringConvertible {
    /// The row of the first position.
    package var row: Int
    /// Its index in the row's chunk, from 0.
    package var place: Int

    /// A cursor before a position.
    package init(row: Int, place: Int) {
        self.row = row
        self.place = place
    }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FixCursor.kind, parts.id.low == 0, parts.text.isEmpty,
            let row = Int(exactly: parts.number), let place = Int(exactly: parts.id.high)
        else { return nil }
        self.init(row: row, place: place)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(kind: FixCursor.kind, number: Int64(row), id: (UInt64(place), 0), text: "").description
    }

    private static let kind = UInt8(ascii: "x")
}
