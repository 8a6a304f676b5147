import Foundation

/// A user's nickname: 2–20 letters, digits or `_` of any script, unique ignoring case (domain §2).
///
/// Letters are Unicode's (L), with the marks (M) that belong to them in many scripts, digits its decimal digits (Nd).
/// Invisible code points (joiners, fillers, variation selectors) are refused, so that nicknames that look alike have
/// equal keys.
package struct Nickname: Sendable, Hashable, CustomStringConvertible {
    /// The allowed number of grapheme clusters.
    package static let length = 2...20

    /// The nickname as it is shown, in NFC.
    package let text: String

    /// Checks and cleans a nickname. Throws ``TextProblem`` for the field `nickname` if it is refused.
    package init(_ text: String) throws(TextProblem) {
        let clean = try TextRule(field: "nickname", length: Self.length).clean(text)
        guard clean.allSatisfy(Self.isAllowed) else {
            let expected = "made of letters, digits and _ only"
            throw TextProblem(field: "nickname", reason: .malformed(expected: expected))
        }
        self.text = clean
    }

    /// A nickname known to be clean.
    package init(clean text: String) { self.text = text }

    /// The unique form, used for look-ups.
    package var key: String { Self.key(for: text) }

    /// The nickname as it is shown.
    package var description: String { text }

    /// The key of any text, a nickname or not: ignores case and compatible forms (full width, ligatures).
    ///
    /// Close to Unicode's NFKC_Casefold: through upper case, which also equates ß with ss and both small sigmas.
    package static func key(for text: String) -> String {
        let compatible = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCompatibilityMapping
        return compatible.uppercased().lowercased().precomposedStringWithCompatibilityMapping
    }

    /// The key of a text by which a client looks up a user. Throws ``TextProblem`` naming the field if it is too long
    /// or has too many marks.
    package static func key(lookedUp text: String, field: String = "nickname") throws(TextProblem) -> String {
        try TextWeight.check(text, of: field, longest: TextWeight.name)
        return key(for: text)
    }

    /// `true` if a nickname may contain a character.
    package static func isAllowed(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first, !first.properties.generalCategory.isMark else { return false }
        return character.unicodeScalars.count <= 8 && character.unicodeScalars.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        let category = scalar.properties.generalCategory
        return scalar == "_" || category.isLetter || category.isMark || category == .decimalNumber
    }
}

extension Unicode.GeneralCategory {
    /// `true` in the categories L.
    fileprivate var isLetter: Bool {
        switch self {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// `true` in the categories M that shape letters, excluding enclosing marks.
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark }
}

extension Nickname {
    /// A nickname for each file, in the same order: the name without its ending, `_` for every character that is not
    /// allowed, at most 20 characters, at least 2, each different from the others ignoring case.
    ///
    /// A name already used for an earlier file gets `_2`, `_3` and so on, in place of its last characters if it would
    /// become too long. The same names in the same order give the same nicknames.
    ///
    /// - Parameter fileNames: names or paths of files; only the last part of a path is used.
    package static func unique(forFileNames fileNames: [String]) -> [Nickname] {
        var taken: Set<String> = []
        return fileNames.map { name in
            let nickname = firstFree(startingWith: base(forFileName: name), among: taken)
            taken.insert(nickname.key)
            return nickname
        }
    }

    private static func firstFree(startingWith base: String, among taken: Set<String>) -> Nickname {
        var candidate = Nickname(clean: base)
        var number = 2
        while taken.contains(candidate.key) {
            let ending = "_\(number)"
            candidate = Nickname(clean: base.prefix(length.upperBound - ending.count) + ending)
            number += 1
        }
        return candidate
    }

    private static func base(forFileName fileName: String) -> String {
        let name = fileName.split(separator: "/").last.map(String.init) ?? ""
        var stem = name[...]
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { stem = name[..<dot] }
        let characters = String(stem).precomposedStringWithCanonicalMapping.map { isAllowed($0) ? $0 : "_" }
        let padding = String(repeating: "_", count: max(0, length.lowerBound - characters.count))
        return String(characters.prefix(length.upperBound)) + padding
    }
}
