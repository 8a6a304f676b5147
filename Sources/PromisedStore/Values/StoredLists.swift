internal import PromisedPlaces

/// Categories in one column, separated by blanks.
enum StoredCategories {
    static func text(_ ids: [CategoryID]) -> String { ids.map(\.text).joined(separator: " ") }

    static func ids(_ text: String) -> [CategoryID] { text.split(separator: " ").map { CategoryID(text: String($0)) } }
}

/// Names or facts in one column, one line `key=value` each.
enum StoredPairs {
    /// The text of pairs. Throws ``StoreError/broken(_:)`` if a part has a line break, or a key the sign `=`.
    static func text(_ pairs: [(key: String, value: String)]) throws -> String {
        if pairs.isEmpty { return "" }
        for pair in pairs {
            guard !pair.key.utf8.contains(where: { $0 == newline || $0 == equals }), !pair.value.utf8.contains(newline)
            else { throw StoreError.broken("A name or fact with a line break") }
        }
        return pairs.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
    }

    /// The pairs of a text; a line without `=` is a value without a key.
    static func pairs(_ text: String) -> [(key: String, value: String)] {
        text.utf8.split(separator: newline).map { line in
            guard let end = line.firstIndex(of: equals) else { return ("", String(Substring(line))) }
            return (String(Substring(line[..<end])), String(Substring(line[line.index(after: end)...])))
        }
    }

    private static let newline = UInt8(ascii: "\n")
    private static let equals = UInt8(ascii: "=")
}
