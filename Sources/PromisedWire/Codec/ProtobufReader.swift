/// Reads the parts of encoded fields one by one; never reads past the end, whatever the input.
struct ProtobufReader {
    private let bytes: [UInt8]
    private var position = 0
    private var end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    var isAtEnd: Bool { position == end }

    /// A number of up to ten bytes; nil if it is incomplete.
    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Eight bytes as a number; nil if there are fewer.
    mutating func double() -> Double? {
        guard let start = advance(by: 8) else { return nil }
        let word = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: word))
    }

    /// Skips bytes and returns their start; nil if there are fewer.
    @discardableResult
    mutating func advance(by count: UInt64) -> Int? {
        guard count <= UInt64(end - position) else { return nil }
        defer { position += Int(count) }
        return position
    }

    /// Reads an embedded message: its length, then its fields, all of which `body` reads. Returns the result of `body`;
    /// nil if the message is incomplete.
    mutating func message<Value>(_ body: (inout ProtobufReader) -> Value?) -> Value? {
        guard let length = varint(), length <= UInt64(end - position) else { return nil }
        let outerEnd = end
        end = position + Int(length)
        defer { end = outerEnd }
        guard let value = body(&self), isAtEnd else { return nil }
        return value
    }

    /// Reads a text of 36 bytes. Returns the result of `body`; nil for a text of another length.
    mutating func text36<Value>(_ body: (RawSpan) -> Value?) -> Value? {
        guard varint() == 36, let start = advance(by: 36) else { return nil }
        return body(bytes.span.bytes.extracting(start..<start + 36))
    }
}
