package import PromisedDomain

/// A place from a row of a file, ready for the directory.
///
/// Texts are single lines within ``Limit``; the server checks their characters and the categories.
package struct PlaceRow: Hashable, Sendable {
    /// A name in another language.
    package struct ForeignName: Hashable, Sendable {
        /// A tag such as `en`.
        package var language: String
        package var name: String
    }

    /// An additional attribute.
    package struct Fact: Hashable, Sendable {
        package var key: String
        package var value: String
    }

    /// The limits of a place; lengths in characters.
    package enum Limit {
        package static let name = 100
        package static let names = 4
        package static let address = 200
        package static let ref = 100
        package static let region = 60
        package static let categories = 3
        package static let hours = 300
        package static let phone = 40
        package static let link = 300
        package static let facts = 16
        package static let fact = 100
    }

    /// The line it begins on, from 1.
    package var line: Int
    /// Its number in all files without headers, from 1.
    package var row = 0
    /// The name of its file; empty if there is only one.
    package var file = ""
    /// The place's id in its source, or the text of ``ContentHash`` if the source has none.
    package var ref: String
    package var name: String
    /// In the order of the mapping; at most four.
    package var names: [ForeignName] = []
    /// Always valid and never (0, 0).
    package var coordinate: Coordinate
    /// Possibly empty.
    package var address = ""
    /// The region in the file; nil to derive it from the address.
    package var region: String?
    /// One to three, the most important first, each once.
    package var categories: [String]
    /// Opening hours; possibly empty.
    package var hours = ""
    /// Possibly empty.
    package var phone = ""
    /// With `http://` or `https://`; possibly empty.
    package var website = ""
    /// With `http://` or `https://`; possibly empty.
    package var social = ""
    /// In the order of the mapping; at most sixteen.
    package var facts: [Fact] = []
    /// The number of its websites and social links that are no web address, and therefore missing here.
    package var omittedLinks = 0
}

/// The name of a row for people: lines are useless for a file in one line.
package struct RowLabel: Hashable, Sendable {
    /// The most characters of each text.
    static let longest = 100

    /// The name of its file; empty if there is only one.
    package var file = ""
    /// The number of the row in all files without headers, from 1; 0 if unknown.
    package var row: Int
    /// Its id in the source; empty if missing or unreadable.
    package var ref: String
    /// Its name; empty if missing or unreadable.
    package var name: String

    package init(row: Int = 0, ref: String = "", name: String = "") {
        self.row = row
        self.ref = ref
        self.name = name
    }

    /// The label of a place.
    package init(_ place: PlaceRow) {
        // A hash in place of an id is useless for people.
        self.init(row: place.row, ref: place.ref.hasPrefix("~") ? "" : place.ref, name: place.name)
        file = place.file
    }
}

/// A row that does not yield a place.
package struct RowRefusal: Error, Hashable, Sendable {
    /// The reason in one word.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case noName = "no-name"
        case noPosition = "no-position"
        /// Not numbers, or not a point on the earth.
        case badPosition = "bad-position"
        /// Exactly (0, 0), which means an unknown position.
        case nullIsland = "null-island"
        /// Outside the operator's bounds.
        case outside
        /// The same place as an earlier row of the file.
        case duplicate
        case noCategory = "no-category"
        /// More columns than the header, and not all of them empty; not a JSON object; or too long.
        case columns
        /// Bytes that are malformed in the file's encoding.
        case encoding
        /// A text that is longer than allowed.
        case text
    }

    /// From 1.
    package var line: Int
    package var reason: Reason
    /// The field whose text is too long; nil for other reasons.
    package var field: String?

    /// `true` for a position that would be accepted with latitude and longitude exchanged.
    package var isExchanged: Bool
    /// `true` for a row with too many columns, as caused by positions with a decimal comma.
    package var hasDecimalCommas = false

    /// The row's name for people.
    package var label = RowLabel()

    package init(line: Int, reason: Reason, field: String? = nil, isExchanged: Bool = false) {
        self.line = line
        self.reason = reason
        self.field = field
        self.isExchanged = isExchanged
    }
}

package enum PlaceRowOutcome: Hashable, Sendable {
    case taken(PlaceRow)
    case refused(RowRefusal)

    /// The line of the row, from 1.
    package var line: Int {
        switch self {
        case .taken(let place): place.line
        case .refused(let refusal): refusal.line
        }
    }
}

/// 128 bits that are equal for equal texts and, in practice, for no others (FNV-1a by Fowler, Noll and Vo).
package struct ContentHash: Hashable, Sendable {
    private var bits: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    /// The hash of texts; their boundaries matter.
    package init(_ texts: String...) {
        for text in texts {
            for byte in text.utf8 { add(byte) }
            add(0xFF)
        }
    }

    /// `~` and 32 hexadecimal digits.
    package var text: String {
        // Digit by digit: `String(_:radix:)` divides 128 bits for each.
        var digits: [UInt8] = [UInt8(ascii: "~")]
        for shift in stride(from: 124, through: 0, by: -4) {
            digits.append(Self.digits[Int(truncatingIfNeeded: bits >> UInt128(shift)) & 15])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func add(_ byte: UInt8) {
        bits = (bits ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
}
