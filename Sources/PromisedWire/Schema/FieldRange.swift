/// The accepted values of a field, in addition to its type, as declared in the schema (`Allowed` in
/// proto/promised/options.proto).
///
/// The texts of refusals and asyncapi.yaml come from here. The checks themselves have constants of their own; a
/// test keeps both equal.
package struct FieldRange: Hashable, Sendable {
    package let message: String
    /// The field's name in JSON.
    package let field: String
    /// `true` if it contains an id, or a list of ids.
    package var isID = false
    package var min: Double?
    package var max: Double?
    /// User-perceived characters.
    package var minLength = 0
    /// User-perceived characters.
    package var maxLength: Int?
    /// UTF-8 bytes as received.
    package var maxBytes: Int?
    /// UTF-8 bytes after normalising and trimming.
    package var maxStoredBytes: Int?
    /// The fewest elements of a list.
    package var minItems = 0
    /// The most elements of a list.
    package var maxItems: Int?
    /// A regular expression that a text must match; empty for any text.
    package var pattern = ""
    /// The JSON Schema format of a text; empty for none.
    package var format = ""
    /// `true` if the field is required although its type has no range.
    package var isRequired = false
    /// `true` if at least one of the message's fields with this mark must be present.
    package var isAlternative = false
    /// The error code for a longer text; empty for `request.invalid`.
    package var beyond = ""
    /// Further rules, as sentences. A setting's key in braces is replaced by its name and default.
    package var note = ""
    /// The error codes allowed as the text; empty for any text.
    package var codes: [String] = []
}

extension FieldRange {
    /// The range of a message's field; nil if it has none.
    package static func of(_ field: String, in message: String) -> FieldRange? { byField["\(message).\(field)"] }

    /// The names of the fields that hold ids.
    package static let namesOfIDs = Set(all.filter(\.isID).map(\.field))

    private static let byField = Dictionary(uniqueKeysWithValues: all.map { ("\($0.message).\($0.field)", $0) })
}
