/// What is looked at before anything else is done with a text of a client: its bytes, and the marks in a row.
///
/// Unicode's normal forms sort the marks behind a letter, here in a time that grows with the square of their number; and
/// Swift brings texts to a normal form also to compare and to hash them. So 64 KB of marks cost more than a second, and
/// 8 KB still 30 ms. A text that passes here costs no more than others of its length.
package enum TextWeight {
    /// Bytes of a text that is looked up or compared: e-mail addresses, nicknames that are searched for, ids.
    package static let name = 1_024
    /// Bytes of a cursor: that of a list by name holds the folded name.
    package static let cursor = 2_048
    /// Bytes of a code, with what people type around it; those that are good once have 32.
    package static let code = 96
    /// Bytes of a password: 16 for each of its 128 characters.
    package static let password = 2_048
    /// Bytes of a token; one of an outside issuer may be longer than all other texts that come before a sign-in.
    package static let token = 3_072

    /// Checks a text that is compared with others after it was brought to a normal form.
    ///
    /// - Parameters:
    ///   - field: its name on the wire.
    ///   - longest: bytes it may have.
    /// - Throws: ``TextProblem`` naming the field.
    package static func check(_ text: String, of field: String, longest: Int) throws(TextProblem) {
        try checkBytes(text, of: field, longest: longest)
        guard !hasManyMarks(text) else { throw TextProblem(field: field, reason: .overloadedCharacter) }
    }

    /// The same for the bytes alone.
    package static func checkBytes(_ text: String, of field: String, longest: Int) throws(TextProblem) {
        guard text.utf8.count <= longest else {
            throw TextProblem(field: field, reason: .tooManyBytes(maximum: longest))
        }
    }

    /// Whether a text has more marks in a row than one character may have code points.
    ///
    /// Marks are those that extend a character. Some of them count as letters for the sorting, but are made of marks
    /// (U+0F73, U+FF9E), so the class by which marks are sorted does not tell all.
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
