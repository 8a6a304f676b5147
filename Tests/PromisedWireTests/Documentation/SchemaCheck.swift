import Foundation

/// Checks JSON against the JSON Schemas of a document, as far as ``AsyncAPISchemas`` uses that language.
struct SchemaCheck {
    /// The document with the targets of references.
    let document: YAMLNode

    /// `true` if the value matches the schema. An unknown keyword is a mismatch.
    func fits(_ value: JSONValue, _ schema: YAMLNode) -> Bool {
        schema.entries.allSatisfy { keyword in
            switch keyword.key {
            case "description", "x-max-stored-bytes", "x-beyond", "x-error-codes": true
            case "x-max-bytes": Self.compares(Self.bytes(of: value), keyword.value, <=)
            case "$ref": document.target(of: keyword.value.string ?? "").map { fits(value, $0) } ?? false
            case "type": Self.has(value, type: keyword.value.string ?? "")
            case "format": Self.has(value, format: keyword.value.string ?? "")
            case "contentEncoding": Self.isBase64(value)
            case "enum": keyword.value.items.contains { Self.text($0) == value }
            case "minimum": Self.compares(value, keyword.value, >=)
            case "maximum": Self.compares(value, keyword.value, <=)
            case "minLength": Self.compares(Self.length(of: value), keyword.value, >=)
            case "maxLength": Self.compares(Self.length(of: value), keyword.value, <=)
            case "minItems": Self.compares(.number(Double(items(of: value).count)), keyword.value, >=)
            case "maxItems": Self.compares(.number(Double(items(of: value).count)), keyword.value, <=)
            case "pattern": Self.matches(value, keyword.value.string ?? "")
            case "required": keyword.value.items.allSatisfy { value[$0.string ?? ""] != nil }
            case "properties": keyword.value.entries.allSatisfy { self.fits(value[$0.key], $0.value) }
            case "items": self.items(of: value).allSatisfy { fits($0, keyword.value) }
            case "allOf": keyword.value.items.allSatisfy { fits(value, $0) }
            case "anyOf": keyword.value.items.contains { fits(value, $0) }
            case "oneOf": keyword.value.items.count { fits(value, $0) } == 1
            default: false
            }
        }
    }

    /// An absent member fits any schema.
    private func fits(_ value: JSONValue?, _ schema: YAMLNode) -> Bool {
        guard let value else { return true }
        return fits(value, schema)
    }

    private func items(of value: JSONValue) -> [JSONValue] {
        guard case .list(let items) = value else { return [] }
        return items
    }

    /// The number of a text's code points, which JSON Schema calls its length.
    private static func length(of value: JSONValue) -> JSONValue {
        guard case .text(let text) = value else { return .null }
        return .number(Double(text.unicodeScalars.count))
    }

    private static func bytes(of value: JSONValue) -> JSONValue {
        guard case .text(let text) = value else { return .null }
        return .number(Double(text.utf8.count))
    }

    private static func matches(_ value: JSONValue, _ pattern: String) -> Bool {
        guard case .text(let text) = value, let regex = try? Regex(pattern) else { return false }
        return text.contains(regex)
    }

    private static func isBase64(_ value: JSONValue) -> Bool {
        guard case .text(let text) = value else { return false }
        return Data(base64Encoded: text) != nil
    }

    private static func text(_ node: YAMLNode) -> JSONValue? { node.string.map(JSONValue.text) }

    private static func has(_ value: JSONValue, type: String) -> Bool {
        switch (value, type) {
        case (.object, "object"), (.list, "array"), (.text, "string"), (.flag, "boolean"), (.number, "number"): true
        case (.number(let number), "integer"): number.rounded() == number
        default: false
        }
    }

    /// Formats of numbers mean their ranges, which are separate keywords.
    private static func has(_ value: JSONValue, format: String) -> Bool {
        guard case .text(let text) = value, format == "date-time" else { return format != "date-time" }
        return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/) != nil
    }

    private static func compares(_ value: JSONValue, _ bound: YAMLNode, _ order: (Double, Double) -> Bool) -> Bool {
        guard case .number(let number) = value, case .number(let bound) = bound else { return false }
        return order(number, bound)
    }
}
