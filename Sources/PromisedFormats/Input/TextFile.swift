/// Text files that are read at once: tables and settings that an operator wrote.
package enum TextFile {
    /// The most bytes of a file.
    package static let longest = 64 * 1_024 * 1_024

    /// The text of a file in UTF-8, without its byte order mark. Blocks.
    ///
    /// - Parameters:
    ///   - expected: the expected format of the text, such as `CSV`.
    ///   - others: other accepted formats.
    ///   - advice: for a file of another format, see ``FoundFormat/sentence(insteadOf:advice:)``.
    /// - Throws: ``FormatError/unreadable(reason:)``, or ``FormatError/unsuitable(reason:)`` with the format found.
    package static func text(
        atPath path: String,
        as expected: String,
        orAs others: Set<FoundFormat> = [],
        advice: String? = nil
    ) throws(FormatError) -> String {
        let bytes = try FileChunks.bytes(ofFileAt: path, most: longest)
        if let found = FoundFormat(sniffing: bytes), !others.contains(found) {
            throw .unsuitable(reason: found.sentence(insteadOf: expected, advice: advice))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unsuitable(reason: "the file is not \(expected) in UTF-8: convert it")
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
