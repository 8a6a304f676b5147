/// A JSON value (RFC 8259) for imports: numbers retain their original text.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// The digits as in the document.
    case number(String)
    case text(String)
    case array([JSONValue])
    /// In the order of the document; the first of equal names counts.
    case object([Member])

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member, or of an element if `name` is its index from 0; nil without one.
    package subscript(name: String) -> JSONValue? {
        switch self {
        case .object(let members): members.first { $0.name == name }?.value
        case .array(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: nil
        }
    }

    /// The value at a path of names; nil without one.
    package func value(at path: [String]) -> JSONValue? {
        var value = self
        for name in path {
            guard let next = value[name] else { return nil }
            value = next
        }
        return value
    }

    /// The text of a scalar; nil for null, arrays and objects.
    ///
    /// A fraction of zeros is removed: services write the id 2283 as `2283.0`.
    package var scalarText: String? {
        switch self {
        case .null, .array, .object: nil
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .text(let text): text
        case .number(let digits): Self.withoutZeros(digits)
        }
    }

    private static func withoutZeros(_ digits: String) -> String {
        guard let point = digits.utf8.firstIndex(of: UInt8(ascii: ".")) else { return digits }
        let fraction = digits.utf8[digits.utf8.index(after: point)...]
        return fraction.allSatisfy { $0 == UInt8(ascii: "0") } ? String(digits[..<point]) : digits
    }
}
