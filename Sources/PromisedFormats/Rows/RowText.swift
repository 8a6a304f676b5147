import Foundation

/// Cleans the text of a field before all other steps.
///
/// Any text becomes one line. The server applies its own rules for texts when it receives the row.
package enum RowText {
    /// The text with each run of white space and control characters replaced by one blank, trimmed at both ends.
    package static func clean(_ text: String) -> String {
        if isClean(text) { return text }
        var cleaned = String.UnicodeScalarView()
        var isAfterGap = false
        for scalar in text.unicodeScalars {
            if isGap(scalar) {
                isAfterGap = true
                continue
            }
            if isAfterGap, !cleaned.isEmpty { cleaned.append(" ") }
            isAfterGap = false
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    /// The text in Unicode's normal form C.
    static func composed(_ text: String) -> String {
        text.unicodeScalars.allSatisfy(isSurelyComposed) ? text : text.precomposedStringWithCanonicalMapping
    }

    /// `true` for common characters that normal form C never changes, whatever their neighbours: Latin letters, and the
    /// kana, ideographs and syllables of East Asia (NFC_Quick_Check=Yes in Unicode's DerivedNormalizationProps.txt,
    /// combining class 0).
    private static func isSurelyComposed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    /// `true` if a text has at most `limit` characters; counts them only if the number of bytes does not decide.
    static func fits(_ text: String, _ limit: Int) -> Bool {
        let bytes = text.utf8.count
        return bytes <= limit || (bytes <= 16 * limit && text.count <= limit)
    }

    /// Nearly all texts are clean, and need no copy.
    private static func isClean(_ text: String) -> Bool {
        var wasGap = true
        for scalar in text.unicodeScalars {
            let isGap = isGap(scalar)
            if isGap, wasGap || scalar != " " { return false }
            wasGap = isGap
        }
        return !wasGap || text.isEmpty
    }

    /// White_Space of Unicode's PropList.txt, and the control characters (general category Cc).
    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}
