/// The code of a region with one or two levels: `KR-11`, `KR-11/종로구`.
///
/// Ordered by text, so that a region sorts before its parts.
package struct RegionCode: Hashable, Sendable, Comparable {
    /// The levels, separated by `/`.
    package let text: String

    /// The most characters of one level.
    package static let longestLevel = 64

    /// The most bytes of a code: 16 for each character.
    private static let longestBytes = (2 * longestLevel + 1) * 16

    /// A code from a validated text, such as one from the store.
    package init(text: String) {
        self.text = text
    }

    /// A code from a text of one or two levels; nil if a level is empty, longer than ``longestLevel`` characters,
    /// begins or ends with white space, or has a control character.
    package init?(_ text: String) {
        // Before counting characters: a single one may be a megabyte of marks.
        guard text.utf8.count <= RegionCode.longestBytes else { return nil }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count <= 2, levels.allSatisfy(RegionCode.isLevel) else { return nil }
        self.text = text
    }

    package static func < (left: RegionCode, right: RegionCode) -> Bool { left.text < right.text }

    /// The region that this one is a part of; nil for one of the first level.
    package var parent: RegionCode? {
        text.firstIndex(of: "/").map { RegionCode(text: String(text[..<$0])) }
    }

    /// The second level, such as `종로구`; nil for a region of the first level.
    package var part: Substring? {
        text.firstIndex(of: "/").map { text[text.index(after: $0)...] }
    }

    /// `true` for the region itself and, if this one has one level, for its parts: a filter by `KR-11` accepts
    /// `KR-11/종로구`.
    package func contains(_ other: RegionCode) -> Bool {
        other == self || other.parent == self
    }

    /// The name in a language: that of a Korean province, or its part; any other code is its own name.
    package func name(in language: BilingualName.Language) -> String {
        if let part { return String(part) }
        return KoreanProvince(code: self)?.name[language] ?? text
    }

    private static func isLevel(_ level: Substring) -> Bool {
        guard level.utf8.count <= longestLevel * 16, let first = level.first, let last = level.last,
            level.count <= longestLevel
        else { return false }
        return !first.isWhitespace && !last.isWhitespace
            && level.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
