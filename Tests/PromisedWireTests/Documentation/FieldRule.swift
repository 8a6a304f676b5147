import PromisedWire

@testable import PromisedSettings

/// The values that the server accepts in a field of a request, beyond the field's type.
struct FieldRule {
    /// Keywords of JSON Schema for the field's value, such as `minimum`.
    var keywords: YAMLNode = [:]
    /// The same for each element of a list.
    var elements: YAMLNode = [:]
    /// Sentences for the description, for rules that no keyword expresses.
    var note = ""
    /// `true` if the server refuses a message without the field, as the default is out of range.
    var isRequired = false

    /// Any value of the type.
    static let any = FieldRule()

    /// The rule of a field by the schema's declaration; nil for a field without one.
    ///
    /// `DocumentedRangeTests` in the server's tests sends these values to a server.
    init?(of field: ProtoField, in message: String) {
        guard let range = FieldRange.of(field.name, in: message) else { return nil }
        let id: [(String, YAMLNode)] = [("format", "uuid"), ("minLength", 36), ("maxLength", 36)]
        if field.isRepeated {
            keywords = .map(Self.keywords(of: range))
            elements = .map(range.isID ? id : [])
        } else {
            let isBytes = field.type == .bytes
            keywords = .map(range.isID ? id : isBytes ? Self.lengthsInBase64(of: range) : Self.keywords(of: range))
        }
        note = Self.expanded(range.note)
        isRequired =
            range.isRequired || range.minLength > 0 || range.minItems > 0 || (range.min ?? 0) > 0
            || (range.max ?? 0) < 0 || (range.isID && !field.isRepeated)
    }

    private init() {}

    /// The names of the fields of which a message needs one or more; empty for most.
    static func alternatives(in message: String) -> [String] {
        FieldRange.all.filter { $0.isAlternative && $0.message == message }.map(\.field)
    }

    private static func keywords(of range: FieldRange) -> [(String, YAMLNode)] {
        let texts: [(String, String)] = [("pattern", range.pattern), ("format", range.format)]
        let numbers: [(String, Double?)] = [
            ("minimum", range.min), ("maximum", range.max),
            ("minLength", positive(range.minLength)), ("maxLength", range.maxLength.map { Double($0) }),
            ("minItems", positive(range.minItems)), ("maxItems", range.maxItems.map { Double($0) }),
            ("x-max-bytes", range.maxBytes.map { Double($0) }),
            ("x-max-stored-bytes", range.maxStoredBytes.map { Double($0) }),
        ]
        return texts.filter { !$0.1.isEmpty }.map { ($0.0, .text($0.1)) }
            + numbers.compactMap { name, number in number.map { (name, .number($0)) } }
            + (range.beyond.isEmpty ? [] : [("x-beyond", .text(range.beyond))])
            + (range.codes.isEmpty ? [] : [("x-error-codes", .list(range.codes.map(YAMLNode.text)))])
    }

    /// The lengths of the text for bytes in JSON: four characters for every three bytes or a rest.
    private static func lengthsInBase64(of range: FieldRange) -> [(String, YAMLNode)] {
        func length(_ bytes: Int) -> YAMLNode { .number(Double(4 * ((bytes + 2) / 3))) }
        return [("minLength", length(range.minLength))] + (range.maxLength.map { [("maxLength", length($0))] } ?? [])
    }

    private static func positive(_ count: Int) -> Double? { count > 0 ? Double(count) : nil }

    /// A note with a setting's key in braces replaced by its name and default.
    private static func expanded(_ note: String) -> String {
        note.replacing(#/{([a-z.-]+)}/#) { match in
            let text = ServerSettings.settings.first { $0.key == match.1 }?.defaultText ?? "unknown"
            return "the setting `\(match.1)` (\(text) unless it is changed)"
        }
    }
}
