package import PromisedDomain

/// The end of a page of places.
///
/// The next page begins after the values of the last place, even in a newer directory. Places that changed since the
/// first page are left out, so a place may be missed but is never repeated.
package struct PlaceCursor: Hashable, Sendable {
    /// The order after the grade and before the id.
    package enum Order: Hashable, Sendable {
        /// Nearest first, in metres.
        case distance(Double)
        /// By the principal category, then by the key of the name.
        case name(category: String, key: String)
    }

    /// The version of the directory of the first page.
    package var version: Int
    /// The number of places on all pages so far.
    package var shown: Int
    /// The grade of the last place; 0 without grades.
    package var grade: Int
    /// The sort key of the last place.
    package var order: Order
    /// The id of the last place.
    package var id: PlaceID

    package init(version: Int, shown: Int, grade: Int, order: Order, id: PlaceID) {
        self.version = version
        self.shown = shown
        self.grade = grade
        self.order = order
        self.id = id
    }

    /// The UTF-16 units of a key that a text contains.
    private static let keptUnits = 256
    /// The greatest version and the greatest number of places that a text may contain, so that no sum overflows.
    private static let numbers = 0...Int(UInt32.max)

    /// The cursor as a text of at most 1,300 characters of ASCII: letters, digits, `-`, `/` and `.`.
    ///
    /// A longer key is truncated and followed by the highest unit: the next page then skips all places whose keys begin
    /// alike, so that none is repeated.
    package var text: String {
        let start = "\(version).\(shown).\(grade).\(id)."
        switch order {
        case .distance(let metres): return start + "d." + String(metres.bitPattern, radix: 16)
        case .name(let category, let key):
            let kept = key.utf16.prefix(PlaceCursor.keptUnits)
            let units = Array(kept) + (kept.count < key.utf16.count ? [UInt16.max] : [])
            let digits = units.map { unit in
                let text = String(unit, radix: 16)
                return String(repeating: "0", count: 4 - text.count) + text
            }
            return start + "n." + category + "." + digits.joined()
        }
    }

    /// The cursor of a text; nil if the text is malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 6, let version = Int(parts[0]), let shown = Int(parts[1]), let grade = Int(parts[2]),
            let id = PlaceID(String(parts[3])), PlaceCursor.numbers.contains(version),
            PlaceCursor.numbers.contains(shown), (0...SearchGrade.last).contains(grade)
        else { return nil }
        switch (parts[4], parts.count) {
        case ("d", 6):
            guard let bits = UInt64(parts[5], radix: 16), Double(bitPattern: bits).isFinite else { return nil }
            order = .distance(Double(bitPattern: bits))
        case ("n", 7):
            guard let key = PlaceCursor.key(ofDigits: parts[6]) else { return nil }
            order = .name(category: String(parts[5]), key: key)
        default: return nil
        }
        (self.version, self.shown, self.grade, self.id) = (version, shown, grade, id)
    }

    /// The key of four hexadecimal digits for each unit; nil if malformed.
    private static func key(ofDigits text: Substring) -> String? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4), digits.count <= 4 * (keptUnits + 1) else { return nil }
        var units: [UInt16] = []
        for start in stride(from: 0, to: digits.count, by: 4) {
            let four = String(decoding: digits[start..<start + 4], as: UTF8.self)
            guard let unit = UInt16(four, radix: 16), !four.hasPrefix("+") else { return nil }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self)
    }
}

/// A page of places.
package struct PlacePage: Hashable, Sendable {
    /// A place of a page.
    package struct Entry: Hashable, Sendable {
        package var row: PlaceRow
        /// Its distance from the requested point; nil without one.
        package var distanceMetres: Double?
        /// How well it matches the text; 0 without a text.
        package var grade: Int
    }

    /// The places in their order.
    package var entries: [Entry] = []
    /// Where the next page begins; nil on the last one.
    package var cursor: PlaceCursor?
    /// The names of the sources of the places, ascending.
    package var sources: [String] = []
}

/// How well a place matches a text.
enum SearchGrade {
    /// The name equals the text.
    static let equal = 0
    /// The name begins with the text.
    static let beginning = 1
    /// A word of the name begins with the first term.
    static let word = 2
    /// All terms occur in names.
    static let names = 3
    /// Some terms occur only in the address or the region.
    static let last = 4

    /// A distance as searches around a point order by it: each grade counts like four times the distance. The 250 m added
    /// before let the grade decide among places that are all close.
    @inline(__always)
    static func weightedMetres(_ distanceMetres: Double, _ grade: Int) -> Double {
        (distanceMetres + 250) * Double(1 << (2 * grade))
    }
}
