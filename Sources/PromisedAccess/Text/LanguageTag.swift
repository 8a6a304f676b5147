import Foundation

/// A language tag of BCP 47 (RFC 5646), checked for its form and written in the usual case.
///
/// Whether the subtags are registered is not checked: the registry grows, and tags are only returned to the client.
package enum LanguageTag {
    /// The most characters of a tag; RFC 5646 §4.4.1 counts 35 for all practical tags.
    package static let longest = 35

    /// The tag in its usual case, such as `en`, `ko-KR` or `zh-Hant-TW`. Throws ``TextProblem`` for the field `locale`
    /// if the text is malformed.
    package static func clean(_ text: String) throws(TextProblem) -> String {
        if text.utf8.count <= longest {
            let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
            if isWellFormed(subtags) { return usualCase(subtags) }
        }
        throw TextProblem(field: "locale", reason: .malformed(expected: "a BCP 47 tag such as ko-KR"))
    }

    private static func isWellFormed(_ subtags: [Substring]) -> Bool {
        guard let language = subtags.first, isAlphabetic(language), (2...8).contains(language.count) else {
            return isPrivateUse(subtags)
        }
        var rest = subtags.dropFirst()
        if language.count <= 3 {
            // Up to three extended languages.
            rest = rest.dropFirst(rest.prefix(3).prefix { isAlphabetic($0) && $0.count == 3 }.count)
        }
        if let script = rest.first, isAlphabetic(script), script.count == 4 { rest = rest.dropFirst() }
        if let region = rest.first, isRegion(region) { rest = rest.dropFirst() }
        rest = rest.drop(while: isVariant)
        return areExtensions(Array(rest))
    }

    private static func isRegion(_ subtag: Substring) -> Bool {
        isAlphabetic(subtag) && subtag.count == 2 || subtag.count == 3 && subtag.allSatisfy { isASCII($0, \.isNumber) }
    }

    private static func isVariant(_ subtag: Substring) -> Bool {
        guard isAlphanumeric(subtag) else { return false }
        return (5...8).contains(subtag.count) || subtag.count == 4 && subtag.first?.isNumber == true
    }

    /// Singletons, each with at least one subtag of 2–8 characters, then at most one private part.
    private static func areExtensions(_ subtags: [Substring]) -> Bool {
        var rest = subtags[...]
        while let singleton = rest.first {
            if singleton.lowercased() == "x" { return isPrivateUse(Array(rest)) }
            guard singleton.count == 1, isAlphanumeric(singleton) else { return false }
            let values = rest.dropFirst().prefix { isAlphanumeric($0) && (2...8).contains($0.count) }
            guard !values.isEmpty else { return false }
            rest = rest.dropFirst(1 + values.count)
        }
        return true
    }

    private static func isPrivateUse(_ subtags: [Substring]) -> Bool {
        guard subtags.count >= 2, subtags.first?.lowercased() == "x" else { return false }
        return subtags.dropFirst().allSatisfy { isAlphanumeric($0) && (1...8).contains($0.count) }
    }

    /// RFC 5646 §2.1.1: lower case, except regions of two letters in upper case and scripts of four capitalised, unless
    /// they are first or follow a singleton.
    private static func usualCase(_ subtags: [Substring]) -> String {
        var isBehindSingleton = false
        let written = subtags.enumerated().map { index, subtag in
            defer { isBehindSingleton = isBehindSingleton || subtag.count == 1 }
            guard index > 0, !isBehindSingleton, isAlphabetic(subtag) else { return subtag.lowercased() }
            if subtag.count == 2 { return subtag.uppercased() }
            return subtag.count == 4
                ? subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased() : subtag.lowercased()
        }
        return written.joined(separator: "-")
    }

    private static func isAlphabetic(_ subtag: Substring) -> Bool {
        !subtag.isEmpty && subtag.allSatisfy { isASCII($0, \.isLetter) }
    }

    private static func isAlphanumeric(_ subtag: Substring) -> Bool {
        !subtag.isEmpty && subtag.allSatisfy { isASCII($0, \.isLetter) || isASCII($0, \.isNumber) }
    }

    private static func isASCII(_ character: Character, _ kind: (Character) -> Bool) -> Bool {
        character.isASCII && kind(character)
    }
}

/// The name of a time zone in the IANA database, such as `Asia/Seoul`.
package enum TimeZoneName {
    /// The most bytes of a name; the longest in the database has 32.
    package static let longest = 64
    /// Names of one part that are zones of the database; others of one part are abbreviations or old links.
    private static let singleNames: Set<String> = ["UTC", "GMT", "WET", "CET", "MET", "EET", "EST", "MST", "HST"]

    /// The name, unchanged, if this system knows such a zone; case matters. Throws ``TextProblem`` for the field
    /// `timeZone` for anything else, including offsets like `GMT+3`.
    package static func clean(_ text: String) throws(TextProblem) -> String {
        guard hasShape(text), singleNames.contains(text) || text.contains("/"), TimeZone(identifier: text) != nil else {
            throw TextProblem(
                field: "timeZone",
                reason: .malformed(expected: "a known IANA time zone such as Asia/Seoul")
            )
        }
        return text
    }

    /// Rejects paths such as `../x` before the look-up, which opens files.
    private static func hasShape(_ text: String) -> Bool {
        guard text.utf8.count <= longest else { return false }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return (1...3).contains(parts.count)
            && parts.allSatisfy { part in
                part.first?.isLetter == true
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
            }
    }
}
