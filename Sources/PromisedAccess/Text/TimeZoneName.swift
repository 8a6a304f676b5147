import Foundation

/// The name of a time zone in the IANA database, as `Asia/Seoul`.
package enum TimeZoneName {
    /// Bytes a name may have; the longest in the database has 32.
    package static let longest = 64
    /// Names of one part that are zones of the database; others of one part are abbreviations or old links.
    private static let singleNames: Set<String> = ["UTC", "GMT", "WET", "CET", "MET", "EET", "EST", "MST", "HST"]

    /// The name, unchanged, when this system knows such a zone; upper and lower case count.
    ///
    /// - Throws: ``TextProblem`` for the field `timeZone` for anything else, offsets like `GMT+3` included.
    package static func clean(_ text: String) throws(TextProblem) -> String {
        guard hasShape(text), singleNames.contains(text) || text.contains("/"), TimeZone(identifier: text) != nil else {
            throw TextProblem(field: "timeZone", reason: .malformed(expected: "a known IANA time zone like Asia/Seoul"))
        }
        return text
    }

    /// Keeps paths like `../x` away from the look-up, which opens files.
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
