import Foundation

/// How a text from a client is cleaned and what is refused (domain §10).
///
/// ``clean(_:)`` brings it to NFC, trims white space and line breaks at both ends, and refuses what must not be stored:
///
/// - control characters, line and paragraph separators anywhere inside, since all texts are single lines;
/// - embeddings, overrides and isolates of text direction (U+202A–U+202E, U+2066–U+2069), with which a text can change
///   how the words around it are shown; the marks U+200E, U+200F and U+061C, which keyboards produce, are kept;
/// - the byte order mark and noncharacters;
/// - characters piled up from more than ``largestCharacter`` code points.
///
/// Joiners (U+200C, U+200D) and variation selectors are kept: Persian words and emoji need them. A text that holds
/// nothing but white space and invisible code points counts as empty. Lengths count grapheme clusters.
///
/// How many bytes it has is looked at first, see ``longestSent``, and how many marks in a row: see ``TextWeight``.
package struct TextRule: Sendable, Hashable {
    /// Code points one grapheme cluster may have; the longest emoji in use have about a dozen.
    package static let largestCharacter = 32

    /// The field, by its name on the wire.
    package let field: String
    /// How many grapheme clusters are allowed. A lower bound of 0 allows an empty text.
    package let length: ClosedRange<Int>

    /// Bytes of UTF-8 a text may have as it comes: 16 for each character allowed, at least 64.
    package var longestSent: Int { max(64, 16 * length.upperBound) }

    /// Bytes of UTF-8 a text may have as it is stored: 8 for each character allowed, at least 64.
    package var longestStored: Int { max(64, 8 * length.upperBound) }

    /// A rule for a field.
    package init(field: String, length: ClosedRange<Int>) {
        self.field = field
        self.length = length
    }

    /// The text as it is stored: NFC, trimmed, of allowed length.
    ///
    /// - Throws: ``TextProblem`` naming the field when it is refused.
    package func clean(_ text: String) throws(TextProblem) -> String {
        try TextWeight.checkBytes(text, of: field, longest: longestSent)
        if Self.isPlain(text) {
            try check(count: text.utf8.count)
            return text
        }
        guard !TextWeight.hasManyMarks(text) else { throw problem(.overloadedCharacter) }
        let trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        try TextWeight.checkBytes(trimmed, of: field, longest: longestStored)
        guard trimmed.unicodeScalars.allSatisfy(Self.isAllowed) else { throw problem(.forbiddenCharacter) }
        guard Self.isVisible(trimmed) else {
            guard length.lowerBound == 0 else { throw problem(.empty) }
            return ""
        }
        guard trimmed.allSatisfy({ $0.unicodeScalars.count <= Self.largestCharacter }) else {
            throw problem(.overloadedCharacter)
        }
        try check(count: trimmed.count)
        return trimmed
    }

    /// Whether a text is printable ASCII without a space at either end: it is clean as it stands, and each byte of it is a
    /// grapheme cluster. Nearly all texts of phones are.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else { return false }
        return bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private func check(count: Int) throws(TextProblem) {
        guard count >= length.lowerBound else { throw problem(.tooShort(minimum: length.lowerBound)) }
        guard count <= length.upperBound else { throw problem(.tooLong(maximum: length.upperBound)) }
    }

    private func problem(_ reason: TextProblem.Reason) -> TextProblem {
        TextProblem(field: field, reason: reason)
    }

    /// Whether a code point may stand inside a text.
    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        default: return !scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Whether anything of a text would be seen.
    private static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
