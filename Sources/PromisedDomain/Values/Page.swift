internal import FoundationEssentials

/// A part of a list, and the cursor of the next part.
package struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
    /// The items, in the order of the list.
    package var items: [Item]
    /// The cursor of the next part; nil after the last.
    package var next: Cursor?

    package init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }
}

/// The limits of every list's pages.
package enum PageRule {
    /// The most bytes of texts in a page, so that it fits into a frame. The last item may exceed it.
    package static let mostBytes = 262_144
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension Page: Hashable where Item: Hashable, Cursor: Hashable {}

extension Page {
    /// A page of at most `limit` items out of `fetched`, which has one more if any follow.
    package init(fetched: [Item], limit: Int, cursor: (Item) -> Cursor) {
        let items = Array(fetched.prefix(limit))
        self.init(items: items, next: fetched.count > limit ? items.last.map(cursor) : nil)
    }
}

/// The opaque text of cursors: base64url of a byte that names the kind, a number, an id, and a text.
package struct CursorText {
    /// The kind of cursor, which prevents using a cursor with another list.
    package var kind: UInt8
    /// A number whose meaning depends on the list.
    package var number: Int64
    package var id: (high: UInt64, low: UInt64)
    /// A text whose meaning depends on the list.
    package var text: String

    package init(kind: UInt8, number: Int64, id: (high: UInt64, low: UInt64), text: String) {
        self.kind = kind
        self.number = number
        self.id = id
        self.text = text
    }

    /// The parts of an opaque text; nil unless ``description`` could have written it.
    package init?(_ opaque: String) {
        guard opaque.utf8.count <= 2_048, opaque.utf8.count % 4 != 1 else { return nil }
        let padding = String(repeating: "=", count: (4 - opaque.utf8.count % 4) % 4)
        let base64 = opaque.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: base64), data.count >= 25 else { return nil }
        let bytes = [UInt8](data)
        guard let text = String(validating: bytes[25...], as: UTF8.self) else { return nil }
        func word(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(kind: bytes[0], number: Int64(bitPattern: word(1..<9)), id: (word(9..<17), word(17..<25)), text: text)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        var bytes = Data([kind])
        for word in [UInt64(bitPattern: number), id.high, id.low] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: text.utf8)
        return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
