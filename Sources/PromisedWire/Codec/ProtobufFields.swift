/// Walks over the fields of one encoded message without looking into them.
///
/// Ends at the end of the bytes, and early where they do not parse. Fields inside groups, which our schema has none
/// of, are passed over.
struct ProtobufFields: IteratorProtocol {
    /// How a field's content is laid out (the lowest three bits of its tag).
    enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
        case startGroup = 3
        case endGroup = 4
        case fixed32 = 5
    }

    /// The tag of one field.
    struct Field: Hashable {
        /// The number in the schema.
        var number: UInt64
        /// The layout of its content.
        var wireType: WireType
    }

    private var reader: ProtobufReader
    private var groupDepth = 0

    /// The fields of a message.
    init(_ bytes: [UInt8]) {
        reader = ProtobufReader(bytes)
    }

    /// The next field's tag, its content passed over; nil at the end.
    mutating func next() -> Field? {
        while !reader.isAtEnd {
            guard let tag = reader.varint(), let wireType = WireType(rawValue: tag & 7), skip(wireType) else {
                return nil
            }
            if groupDepth == 0, wireType != .endGroup { return Field(number: tag >> 3, wireType: wireType) }
        }
        return nil
    }

    /// Passes over a field's content; false when the bytes do not hold it.
    private mutating func skip(_ wireType: WireType) -> Bool {
        switch wireType {
        case .varint: return reader.varint() != nil
        case .fixed64: return reader.advance(by: 8) != nil
        case .fixed32: return reader.advance(by: 4) != nil
        case .lengthDelimited:
            guard let length = reader.varint() else { return false }
            return reader.advance(by: length) != nil
        case .startGroup:
            groupDepth += 1
            return true
        case .endGroup:
            groupDepth -= 1
            return groupDepth >= 0
        }
    }
}
