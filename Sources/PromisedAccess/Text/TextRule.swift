import Foundation

/// How a text from a client is cleaned, and when it is refused (domain §10).
///
/// ``clean(_:)`` brings it to NFC, trims white space and line breaks at both ends, and refuses:
///
/// - control characters, line and paragraph separators anywhere inside, since all texts are single lines;
/// - embeddings, overrides and isolates of text direction (U+202A–U+202E, U+2066–U+2069), with which a text can change
///   the display of the words around it; the marks U+200E, U+200F and U+061C, which keyboards produce, are allowed;
/// - the byte order mark and noncharacters;
/// - characters made of more than ``largestCharacter`` code points.
///
/// Joiners (U+200C, U+200D) and variation selectors are allowed: Persian words and emoji need them. A text of only
/// white space and invisible code points counts as empty. Lengths count grapheme clusters.
///
/// Its bytes are checked first, see ``longestSent``, and the marks in a row: see ``TextWeight``.
package struct TextRule: Sendable, Hashable {
    /// The most code points of one grapheme cluster; the longest emoji in use have about a dozen.
    package static let largestCharacter = 32

    /// The field, by its name on the wire.
    package let field: String
    /// The allowed number of grapheme clusters. A lower bound of 0 allows an empty text.
    package let length: ClosedRange<Int>
    /// `true` for a text that may have several lines: each break is stored as one LF.
    package let allowsLineBreaks: Bool

    /// The most bytes of UTF-8 of a text as received: 16 for each character allowed, at least 64.
    package var longestSent: Int { max(64, 16 * length.upperBound) }

    /// The most bytes of UTF-8 of a text as stored: 8 for each character allowed, at least 64.
    package var longestStored: Int { max(64, 8 * length.upperBound) }

    /// A rule for a field.
    package init(field: String, length: ClosedRange<Int>, allowsLineBreaks: Bool = false) {
        self.field = field
        self.length = length
        self.allowsLineBreaks = allowsLineBreaks
    }

    /// The text in its stored form: NFC, trimmed, of allowed length. Throws ``TextProblem`` naming the field if it is
    /// refused.
    package func clean(_ text: String) throws(TextProblem) -> String {
        try TextWeight.checkBytes(text, of: field, longest: longestSent)
        if Self.isPlain(text) {
            try check(count: text.utf8.count)
            return text
        }
        guard !TextWeight.hasManyMarks(text) else { throw problem(.overloadedCharacter) }
        var trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        if allowsLineBreaks { trimmed = Self.withLineFeeds(trimmed) }
        try TextWeight.checkBytes(trimmed, of: field, longest: longestStored)
        guard trimmed.unicodeScalars.allSatisfy({ Self.isAllowed($0) || allowsLineBreaks && $0 == "\n" }) else {
            throw problem(.forbiddenCharacter)
        }
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

    /// `true` if a text is printable ASCII without a space at either end: it is clean already, and each byte of it is a
    /// grapheme cluster. Nearly all texts of phones are plain.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20 else { return false }
        return bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The text with LF for CR LF and for CR alone.
    private static func withLineFeeds(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private func check(count: Int) throws(TextProblem) {
        guard count >= length.lowerBound else { throw problem(.tooShort(minimum: length.lowerBound)) }
        guard count <= length.upperBound else { throw problem(.tooLong(maximum: length.upperBound)) }
    }

    private func problem(_ reason: TextProblem.Reason) -> TextProblem { TextProblem(field: field, reason: reason) }

    /// `true` if a text may contain a code point.
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

    private static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension TextRule {
    /// A promise's title: 1–60 characters.
    package static let title = TextRule(field: "title", length: 1...60)
    /// A promise's note: at most 500 characters, possibly empty.
    package static let note = TextRule(field: "note", length: 0...500)
    /// A place's name: 1–100 characters.
    package static let placeName = TextRule(field: "place.name", length: 1...100)
    /// A place's address: at most 200 characters, possibly empty.
    package static let placeAddress = TextRule(field: "place.address", length: 0...200)
    /// A participant's status text: at most 80 characters; empty clears it.
    package static let statusText = TextRule(field: "text", length: 0...80)
    /// A participant's emoji: any grapheme cluster, since new emoji appear every year; empty clears it.
    package static let emoji = TextRule(field: "emoji", length: 0...1)
    /// The key of a user's picture: at most 64 characters; empty clears it.
    package static let avatar = TextRule(field: "avatar", length: 0...64)
    /// A device's own id: 1–64 characters.
    package static let deviceID = TextRule(field: "deviceId", length: 1...64)
    /// A device's secret: 22–128 characters; a shorter one could be guessed.
    package static let deviceSecret = TextRule(field: "deviceSecret", length: 22...128)
    /// A device's boot id: 1–64 characters.
    package static let bootID = TextRule(field: "bootId", length: 1...64)
    /// The key of a promise's creation: 1–64 characters.
    package static let creationKey = TextRule(field: "key", length: 1...64)
    /// The reason for a cancellation, shown to others: at most 200 characters, possibly empty.
    package static let reason = TextRule(field: "reason", length: 0...200)
    /// The reason for an excuse: 1–200 characters.
    package static let excuse = TextRule(field: "reason", length: 1...200)
}

/// The limits checked before any other processing of a client's text: its bytes, and the marks in a row.
///
/// Unicode's normal forms sort the marks after a letter, here in quadratic time; and Swift normalises texts also to
/// compare and to hash them. So 64 KB of marks cost more than a second, and 8 KB still 30 ms. A text that passes this
/// check costs no more than others of its length.
package enum TextWeight {
    /// The most bytes of a text that is looked up or compared: e-mail addresses, nicknames in searches, ids.
    package static let name = 1_024
    /// The most bytes of a cursor: that of a list by name contains the folded name.
    package static let cursor = 2_048
    /// The most bytes of a code, with the separators that people type; single-use codes have 32.
    package static let code = 96
    /// The most bytes of a password: 16 for each of its 128 characters.
    package static let password = 2_048
    /// The most bytes of a token; one of an outside issuer may be longer than any other text before a sign-in.
    package static let token = 3_072

    /// Checks a text that is normalised and compared.
    ///
    /// - Parameters:
    ///   - field: its name on the wire.
    ///   - longest: the most bytes.
    /// - Throws: ``TextProblem`` naming the field.
    package static func check(_ text: String, of field: String, longest: Int) throws(TextProblem) {
        try checkBytes(text, of: field, longest: longest)
        guard !hasManyMarks(text) else { throw TextProblem(field: field, reason: .overloadedCharacter) }
    }

    /// Checks only the bytes.
    package static func checkBytes(_ text: String, of field: String, longest: Int) throws(TextProblem) {
        guard text.utf8.count <= longest else {
            throw TextProblem(field: field, reason: .tooManyBytes(maximum: longest))
        }
    }

    /// `true` if a text has more consecutive marks than the allowed code points of one character.
    ///
    /// Marks are the code points that extend a character. Some of them are sorted like letters, but consist of marks
    /// (U+0F73, U+FF9E), so the sorting class alone is not enough.
    package static func hasManyMarks(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > TextRule.largestCharacter { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        let properties = scalar.properties
        return properties.isGraphemeExtend || properties.canonicalCombiningClass != .notReordered
    }
}
