/// The values that the server accepts in a field beyond its type, as the schema declares them (`Allowed` in
/// proto/promised/options.proto).
///
/// The texts of refusals and asyncapi.yaml come from here. The checks themselves have constants of their own; a
/// test keeps both equal.
package struct FieldRange: Hashable, Sendable {
    /// The message's name.
    package let message: String
    /// The field's name in JSON.
    package let field: String
    /// `true` if it holds an id, or a list of them.
    package var isID = false
    /// The smallest number.
    package var min: Double?
    /// The largest number.
    package var max: Double?
    /// Characters, as people count them.
    package var minLength = 0
    /// Characters, as people count them.
    package var maxLength: Int?
    /// Bytes of UTF-8 as received.
    package var maxBytes: Int?
    /// Bytes of UTF-8 once the text is normalised and trimmed.
    package var maxStoredBytes: Int?
    /// Elements of a list.
    package var minItems = 0
    /// Elements of a list.
    package var maxItems: Int?
    /// A regular expression that a text must match; empty for any text.
    package var pattern = ""
    /// The format of JSON Schema that a text has; empty for none.
    package var format = ""
    /// `true` if it is refused when absent, though its type has no range.
    package var isRequired = false
    /// `true` if one or more of the message's fields with this mark must be present.
    package var isAlternative = false
    /// The error code for a longer text; empty: `request.invalid`.
    package var beyond = ""
    /// Further rules, in sentences. A setting's key stands in braces for its name and default.
    package var note = ""
    /// Error codes that the text may be; empty for any other text.
    package var codes: [String] = []
}

extension FieldRange {
    /// The range of a message's field; nil without one.
    package static func of(_ field: String, in message: String) -> FieldRange? { byField["\(message).\(field)"] }

    /// The names of the fields that hold ids.
    package static let namesOfIDs = Set(all.filter(\.isID).map(\.field))

    private static let byField = Dictionary(uniqueKeysWithValues: all.map { ("\($0.message).\($0.field)", $0) })
}
