import Foundation

/// A user's e-mail address, checked for its form only.
///
/// Accepts the common form `local@domain`: a local part of 1–64 bytes without spaces, quotes and brackets, and a domain
/// of at least two labels of letters (of any script), digits and inner hyphens; at most 254 bytes in all. Quoted local
/// parts and address literals of RFC 5321 are refused.
package struct EmailAddress: Sendable, Hashable {
    /// The most bytes of UTF-8.
    package static let longest = 254

    /// The address as the user wrote it, in NFC and trimmed.
    package let text: String

    /// Checks and cleans an address. Throws ``TextProblem`` for the field `email` if it is refused.
    package init(_ text: String) throws(TextProblem) {
        try TextWeight.checkBytes(text, of: "email", longest: TextWeight.name)
        let clean = try TextRule(field: "email", length: 1...Self.longest).clean(text)
        guard clean.utf8.count <= Self.longest else {
            throw TextProblem(field: "email", reason: .tooLong(maximum: Self.longest))
        }
        guard Self.isAddress(clean) else {
            throw TextProblem(field: "email", reason: .malformed(expected: "an e-mail address"))
        }
        self.text = clean
    }

    /// The unique form, used for look-ups: the whole address ignoring case.
    package var key: String { Self.key(for: text) }

    /// The key of any text, an address or not, so that looking up a malformed one takes as long and reveals no
    /// difference.
    package static func key(for text: String) -> String { Nickname.key(for: text) }

    /// The key of a text by which a client looks up a user. Throws ``TextProblem`` naming the field if it is too long
    /// or has too many marks.
    package static func key(lookedUp text: String, field: String = "email") throws(TextProblem) -> String {
        try Nickname.key(lookedUp: text, field: field)
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@") else { return false }
        return isLocalPart(text[..<at]) && isDomain(text[text.index(after: at)...])
    }

    private static func isLocalPart(_ part: Substring) -> Bool {
        let forbidden: Set<Unicode.Scalar> = ["\"", "(", ")", ",", ":", ";", "<", ">", "@", "[", "\\", "]"]
        return (1...64).contains(part.utf8.count)
            && !part.hasPrefix(".") && !part.hasSuffix(".") && !part.contains("..")
            && part.unicodeScalars.allSatisfy { scalar in
                !forbidden.contains(scalar) && !scalar.properties.isWhitespace
                    && !scalar.properties.isDefaultIgnorableCodePoint
            }
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, top.contains(where: \.isLetter) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.allSatisfy { $0 == "-" || $0 != "_" && Nickname.isAllowed($0) }
        }
    }
}
