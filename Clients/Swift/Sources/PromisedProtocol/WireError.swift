/// An error of encoding or decoding.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The frame does not decode as the schema; close with ``CloseCode/malformedFrame``.
    case malformed(Malformation)
    /// A value of a request is out of range; answer with ``ErrorCode/requestInvalid`` and this field.
    ///
    /// The field is named by its JSON path, such as `place.latitude` or `inviteeIds[3]`.
    case invalid(field: String)
    /// The message cannot be encoded in this codec.
    case unencodable

    /// How a frame is malformed.
    public enum Malformation: String, Hashable, Sendable, CaseIterable {
        /// Not the syntax of the codec, or a value of another type than the schema's.
        case syntax
        /// Messages nested more deeply than the schema allows.
        case nesting
        /// More than one request.
        case severalRequests = "several requests"
    }

    /// The fault, without the peer's content except the name of a field of the schema.
    public var description: String {
        switch self {
        case .malformed(let malformation): "malformed frame: \(malformation.rawValue)"
        case .invalid(let field): "invalid value: \(field)"
        case .unencodable: "message cannot be encoded"
        }
    }

    /// Converts a part of a message; the path of an invalid field begins with the part's own, `parent`.
    ///
    /// - Throws: the error of `conversion`.
    public static func inside<Value>(
        _ parent: String,
        _ conversion: () throws(WireError) -> Value
    ) throws(WireError) -> Value {
        do {
            return try conversion()
        } catch .invalid(let field) {
            throw .invalid(field: "\(parent).\(field)")
        }
    }
}
