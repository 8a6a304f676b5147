/// References to characters and to predefined entities (XML 1.0 sections 4.1 and 4.6).
enum XMLReference {
    /// The character of a reference without `&` and `;`; nil if it is invalid.
    static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: reference, as: UTF8.self) {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: numbered(reference)
        }
    }

    private static func numbered(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard reference.first == UInt8(ascii: "#") else { return nil }
        let isHex = reference.dropFirst().first == UInt8(ascii: "x")
        let digits = String(decoding: reference.dropFirst(isHex ? 2 : 1), as: UTF8.self)
        // The initialiser would accept a sign.
        guard digits.first?.isHexDigit == true, let number = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(number), scalar.isXMLCharacter
        else { return nil }
        return scalar
    }

    /// A text with its references replaced by their characters; invalid ones are removed.
    static func resolved(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(.ampersand) else { return text }
        var rest = text
        var resolved: [UInt8] = []
        while let start = rest.firstIndex(of: .ampersand), let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) {
            resolved += rest[..<start]
            if let scalar = scalar(rest[start + 1..<end]) { resolved += scalar.utf8 }
            rest = rest[(end + 1)...]
        }
        return ArraySlice(resolved + rest)
    }
}
