/// What the server takes in a field beyond what its type says, as the schema declares it (`Allowed` in
/// proto/promised/options.proto).
///
/// The texts of refusals and docs/asyncapi.yaml come from here. The checks themselves have constants of their own; a test
/// holds both equal.
package struct FieldRange: Hashable, Sendable {
    /// The message's name.
    package let message: String
    /// The field's name in JSON.
    package let field: String
    /// Whether it holds an id, or a list of them.
    package var isID = false
    /// The smallest number.
    package var min: Double?
    /// The largest number.
    package var max: Double?
    /// Characters, as people count them.
    package var minLength = 0
    /// Characters, as people count them.
    package var maxLength: Int?
    /// Bytes of UTF-8 as they come.
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
    /// Whether it is refused when it is absent, though its type has no range.
    package var isRequired = false
    /// Whether one or more of the message's fields for which this is true must be there.
    package var isAlternative = false
    /// The code that a longer text is refused with; empty: `request.invalid`.
    package var beyond = ""
    /// What no other property says, in sentences. A setting's key stands in braces for its name and default.
    package var note = ""
    /// Error codes that the text may be; empty for a text that is none.
    package var codes: [String] = []
}

extension FieldRange {
    /// The range of a message's field; nil without one.
    package static func of(_ field: String, in message: String) -> FieldRange? { byField["\(message).\(field)"] }

    /// The names of the fields that hold ids.
    package static let namesOfIDs = Set(all.filter(\.isID).map(\.field))

    private static let byField = Dictionary(uniqueKeysWithValues: all.map { ("\($0.message).\($0.field)", $0) })
}
