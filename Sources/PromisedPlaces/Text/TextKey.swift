/// The form of a text in which searches compare it.
///
/// NFKC, case folded, Latin letters without diacritics, only letters and digits: `Café „Roma“ ①` and `cafe roma1` have
/// the same key. Ordered by the units of UTF-16.
package struct TextKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The key in UTF-16.
    package let units: [UInt16]
    /// The offsets in ``units`` at which the words of the text begin, ascending.
    package let wordStarts: [Int]

    /// The key of a text; empty if it has neither letters nor digits.
    package init(_ text: String) {
        var buffer = KeyBuffer()
        buffer.append(keyOf: text)
        units = buffer.units
        wordStarts = buffer.units.indices.filter(buffer.isWordStart)
    }

    /// The key as a text.
    package var description: String { String(decoding: units, as: UTF16.self) }

    /// `true` if the text has neither letters nor digits.
    package var isEmpty: Bool { units.isEmpty }

    /// In the order of the units; a key precedes those that continue it.
    package static func < (left: TextKey, right: TextKey) -> Bool { left.units.lexicographicallyPrecedes(right.units) }
}
