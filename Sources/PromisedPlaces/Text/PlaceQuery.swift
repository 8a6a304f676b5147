/// A text to search the directory for: 1–60 characters with one to five terms, separated by white space.
package struct PlaceQuery: Hashable, Sendable {
    /// The reason why a text is not a valid query.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text is blank or has too many characters.
        case length(Int)
        /// The text has neither letters nor digits.
        case nothingToFind
        /// The text has too many terms.
        case terms(Int)

        package var description: String {
            switch self {
            case .length(let count): "the text has \(count) characters: search for 1 to 60"
            case .nothingToFind: "the text has neither letters nor digits: search for at least one"
            case .terms(let count): "the text has \(count) words: search for at most 5"
            }
        }
    }

    /// The characters a text may have.
    package static let lengths = 1...60
    package static let mostTerms = 5

    /// The terms in their order, one to five.
    package let terms: [TextPattern]
    /// All terms as one: names that equal it or begin with it come first.
    package let whole: TextPattern

    /// The query of a text, without white space at both ends. Words without letters and digits are ignored.
    ///
    /// - Throws: ``Problem`` if the text is not a valid query.
    package init(_ text: String) throws(Problem) {
        // By scalars: a blank followed by a mark is one character, and the mark may become a letter.
        let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
        let length = PlaceQuery.trimmedLength(of: text)
        guard PlaceQuery.lengths.contains(length) else { throw .length(length) }
        let keys = words.map { TextKey(String($0)) }.filter { !$0.isEmpty }
        guard !keys.isEmpty else { throw .nothingToFind }
        guard keys.count <= PlaceQuery.mostTerms else { throw .terms(keys.count) }
        terms = keys.enumerated().map { TextPattern($1, isLast: $0 == keys.count - 1) }
        whole = TextPattern(joining: terms)
    }

    private static func trimmedLength(of text: String) -> Int {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return 0 }
        return text[first...last].count
    }
}
