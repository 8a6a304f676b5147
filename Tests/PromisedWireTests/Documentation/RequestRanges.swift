/// The document's ranges of the fields of requests, one field a line, for the tests of the server:
/// `createPromise.radiusMetres integer minimum=20 maximum=500`.
struct RequestRanges {
    /// The document with the targets of the schemas' references.
    let document: YAMLNode

    private static let keywords = [
        "format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
        "x-max-bytes", "x-max-stored-bytes", "x-beyond",
    ]

    /// The lines of all requests with a range, a length or a required field.
    func lines() -> [String] {
        (document["components"]?["messages"]?.entries ?? []).flatMap { message -> [String] in
            guard message.key.hasSuffix("Request"), let name = message.value["name"]?.string else { return [] }
            return message.value["payload"]?["properties"]?[name].map { lines(of: $0, at: name) } ?? []
        }
    }

    private func lines(of value: YAMLNode, at path: String, isRequired: Bool = false) -> [String] {
        let schema = resolved(value)
        let said = Self.keywords.compactMap { keyword in
            schema[keyword].flatMap { Self.text($0, of: keyword, in: schema) }.map { "\(keyword)=\($0)" }
        }
        let words = said + (isRequired ? ["required"] : [])
        let own = words.isEmpty ? [] : [([path, schema["type"]?.string ?? ""] + words).joined(separator: " ")]
        let required = Set(schema["required"]?.items.compactMap(\.string) ?? [])
        let members = (schema["properties"]?.entries ?? []).flatMap { member in
            lines(of: member.value, at: "\(path).\(member.key)", isRequired: required.contains(member.key))
        }
        return own + members + (schema["items"].map { lines(of: $0, at: "\(path)[0]") } ?? [])
    }

    /// The target of a reference, also of one with a description beside it.
    private func resolved(_ schema: YAMLNode) -> YAMLNode {
        let reference = schema["$ref"] ?? schema["allOf"]?.items.first?["$ref"]
        return reference?.string.flatMap { document.target(of: $0) } ?? schema
    }

    /// A keyword's value; nil if it follows from the field's type.
    private static func text(_ value: YAMLNode, of keyword: String, in schema: YAMLNode) -> String? {
        guard let number = value.number else {
            return ["int32", "uint32", "double", "date-time"].contains(value.string) ? nil : value.string
        }
        let limits: [String: [Double]] = [
            "int32": [Double(Int32.min), Double(Int32.max)], "uint32": [0, Double(UInt32.max)],
        ]
        let ofType = limits[schema["format"]?.string ?? ""] ?? []
        return keyword.hasSuffix("imum") && ofType.contains(number) ? nil : YAMLNode.digits(number)
    }
}
