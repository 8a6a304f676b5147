import Foundation
import PromisedPlaces

extension FuzzTarget {
    static let searchText = FuzzTarget(
        "search-text",
        "A text has the same key in each normal form of Unicode; a query of 1 to 5 terms is found in its own text.",
        longest: 400
    ) { bytes throws(Violation) in
        let text = String(decoding: bytes, as: UTF8.self)
        let key = TextKey(text)
        try require(key.wordStarts.allSatisfy(key.units.indices.contains), "word starts \(key.wordStarts)")
        for form in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping] {
            guard hasReliableForms(text) else { break }
            try require(TextKey(form) == key, "the key of \(Array(text.unicodeScalars)) in another form")
        }
        guard let query = try? PlaceQuery(text) else { return }
        try require((1...PlaceQuery.mostTerms).contains(query.terms.count), "\(query.terms.count) terms")
        if !query.terms.contains(where: \.isInitials) {
            try require(query.whole.begins(key.units), "\(Array(text.unicodeScalars)) is not found by itself")
        }
    }

    /// `false` for a text with points of a newer version of Unicode than the table; with U+0345, even as a part of a letter,
    /// which becomes a letter before marks are put in order; and with letters that Swift 6.3 composes with their neighbours
    /// though they are behind the last that compose.
    private static func hasReliableForms(_ text: String) -> Bool {
        let odd: Set<Unicode.Scalar> = ["\u{345}", "\u{1113}", "\u{1176}", "\u{11C3}"]
        return text.decomposedStringWithCanonicalMapping.unicodeScalars.allSatisfy { scalar in
            !odd.contains(scalar) && (scalar.properties.age ?? (99, 0)).major <= 14
        }
    }
}
