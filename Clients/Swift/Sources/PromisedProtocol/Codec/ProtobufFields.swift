/// Iterates over the fields of one encoded message without decoding them.
///
/// Ends at the end of the bytes, and early if they do not parse. Skips fields inside groups, which our schema does not
/// use.
struct ProtobufFields: IteratorProtocol {
    /// The layout of a field's content (the lowest three bits of its tag).
    enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
        case startGroup = 3
        case endGroup = 4
        case fixed32 = 5
    }

    struct Field: Hashable {
        var number: UInt64
        var wireType: WireType
    }

    private let bytes: [UInt8]
    private var position = 0
    private var groupDepth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next field's tag, skipping its content; nil at the end.
    mutating func next() -> Field? {
        while position < bytes.count {
            guard let tag = varint(), let wireType = WireType(rawValue: tag & 7), skip(wireType) else { return nil }
            if groupDepth == 0, wireType != .endGroup { return Field(number: tag >> 3, wireType: wireType) }
        }
        return nil
    }

    /// Skips a field's content; false if the bytes do not hold it.
    private mutating func skip(_ wireType: WireType) -> Bool {
        switch wireType {
        case .varint: return varint() != nil
        case .fixed64: return advance(by: 8)
        case .fixed32: return advance(by: 4)
        case .lengthDelimited:
            guard let length = varint() else { return false }
            return advance(by: length)
        case .startGroup:
            groupDepth += 1
            return true
        case .endGroup:
            groupDepth -= 1
            return groupDepth >= 0
        }
    }
    /// A number of up to ten bytes; nil if it is incomplete.
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Skips bytes; false if there are fewer.
    private mutating func advance(by count: UInt64) -> Bool {
        guard count <= UInt64(bytes.count - position) else { return false }
        position += Int(count)
        return true
    }
}
