internal import PromisedJournal

/// The names of entries, and of values in them.
enum ExportName {
    /// The most bytes of a course's title in a file name.
    private static let longestTitle = 120

    static func photo(_ file: StoredFile) -> String {
        switch file.contentType {
        case "image/png": "photos/\(file.id).png"
        case "image/webp": "photos/\(file.id).webp"
        default: "photos/\(file.id).jpg"
        }
    }

    /// The file name of the course with a number from 1: the title without characters that some system forbids in
    /// names.
    static func course(_ number: Int, _ title: String) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        var safe = ""
        for character in title {
            let kept = String(character.unicodeScalars.map { isSafe($0) ? Character($0) : " " })
            guard safe.utf8.count + kept.utf8.count <= longestTitle else { break }
            safe += kept
        }
        // Windows drops trailing spaces and full stops in a name.
        while let last = safe.last, last == " " || last == "." { safe.removeLast() }
        return safe.isEmpty ? "courses/\(padded).gpx" : "courses/\(padded) \(safe).gpx"
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
        }
    }

    /// A value of an enumeration as written in the protocol: `onTime` is `ON_TIME`.
    static func value(_ enumeration: some RawRepresentable<String>) -> String {
        enumeration.rawValue.reduce(into: "") { text, letter in
            if letter.isUppercase { text += "_" }
            text += letter.uppercased()
        }
    }
}
