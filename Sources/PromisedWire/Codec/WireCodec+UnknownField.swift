internal import FoundationEssentials
package import PromisedProtocol
internal import SwiftProtobuf

/// A part of a client's frame that is not in the schema.
package struct UnknownField: Hashable, Sendable {
    /// Its path, such as `subscribe.seq`; in Protocol Buffers with the request's name and field numbers, such as
    /// `report.2[0].15`; empty if the frame is too large to search.
    package var path: String
}

extension WireCodec {
    /// The first field, or name in an enumeration, in a client's frame that is not in the schema; nil if all are.
    /// Decodes the frame again: for connections that requested this check.
    ///
    /// - Parameter bytes: a frame that ``decodeClientFrame(_:)`` has decoded.
    package func unknownField(in bytes: [UInt8]) -> UnknownField? {
        switch self {
        case .json:
            let isKnown = { (bytes: [UInt8]) in
                (try? WireClientFrame(jsonUTF8Bytes: bytes, options: WireCodec.strictJSON)) != nil
            }
            return isKnown(bytes) ? nil : UnknownField(path: WireCodec.fault(in: bytes, decodes: isKnown) ?? "")
        case .protobuf:
            guard let frame = try? WireClientFrame(serializedBytes: bytes) else { return nil }
            var search = UnknownFieldSearch()
            // The search never throws.
            try? frame.traverse(visitor: &search)
            return search.found.map { path in
                let (number, rest) = (path.prefix { $0 != "." }, path.drop { $0 != "." })
                return UnknownField(path: rest.isEmpty ? "\(number)" : "\(RequestKind(frame.request).rawValue)\(rest)")
            }
        }
    }

    private static let strictJSON: JSONDecodingOptions = {
        var options = JSONDecodingOptions()
        options.messageDepthLimit = 16
        return options
    }()
}

/// Looks for the first unknown field of a message, depth first.
private struct UnknownFieldSearch: Visitor {
    /// The field numbers on the path to it; nil if there is none.
    private(set) var found: String?
    private var path = ""

    mutating func visitSingularMessageField<M: Message>(value: M, fieldNumber: Int) throws {
        try visit(value, at: "\(fieldNumber)")
    }

    mutating func visitRepeatedMessageField<M: Message>(value: [M], fieldNumber: Int) throws {
        for (index, one) in value.enumerated() { try visit(one, at: "\(fieldNumber)[\(index)]") }
    }

    mutating func visitUnknown(bytes: Data) throws {
        var (tag, shift): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            tag |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 || shift > 56 { break }
        }
        if found == nil { found = "\(path)\(tag >> 3)" }
    }

    private mutating func visit(_ value: some Message, at place: String) throws {
        guard found == nil else { return }
        let before = path
        path += "\(place)."
        try value.traverse(visitor: &self)
        path = before
    }

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) throws {}
    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) throws {}
    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) throws {}
    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) throws {}
    mutating func visitSingularStringField(value: String, fieldNumber: Int) throws {}
    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) throws {}
    mutating func visitSingularEnumField<E: SwiftProtobuf.Enum>(value: E, fieldNumber: Int) throws {}
    mutating func visitMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type,
        value: _ProtobufMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) throws {}
    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: _ProtobufEnumMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) throws where ValueType.RawValue == Int {}
    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: _ProtobufMessageMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) throws {}
}
