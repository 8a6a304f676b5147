internal import PromisedProtocol

/// Writes encoded fields one by one into a buffer whose size the caller guarantees.
///
/// Fields are written whatever their value; the caller omits default values.
struct ProtobufWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes have been written.
    private(set) var count = 0

    private enum WireType: UInt8 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
    }

    /// The bytes that `body` writes.
    ///
    /// - Precondition: they number at most `limit`.
    static func bytes(atMost limit: Int, _ body: (inout ProtobufWriter) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var writer = ProtobufWriter(memory: UnsafeMutableRawBufferPointer(buffer))
            body(&writer)
            count = writer.count
        }
    }

    private init(memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// A field with a number of up to ten bytes.
    mutating func field(_ number: UInt8, varint value: UInt64) {
        tag(number, .varint)
        varint(value)
    }

    /// A field with a number of eight bytes.
    mutating func field(_ number: UInt8, double value: Double) {
        tag(number, .fixed64)
        store(value.bitPattern.littleEndian)
    }

    /// A field with a text of 36 bytes, which `write` writes.
    mutating func field(_ number: UInt8, text36 write: (UnsafeMutableRawBufferPointer) -> Void) {
        tag(number, .lengthDelimited)
        byte(36)
        precondition(memory.count - count >= 36, "The message is longer than was foreseen")
        write(UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + 36]))
        count += 36
    }

    /// A field with a message whose fields `body` writes.
    mutating func field(_ number: UInt8, message body: (inout ProtobufWriter) -> Void) {
        tag(number, .lengthDelimited)
        // Most lengths take one byte; for longer ones the message is moved to make room.
        byte(0)
        let start = count
        body(&self)
        let length = count - start
        let more = length < 0x80 ? 0 : (63 - UInt64(length).leadingZeroBitCount) / 7
        if more > 0 {
            precondition(memory.count - count >= more, "The message is longer than was foreseen")
            UnsafeMutableRawBufferPointer(rebasing: memory[(start + more)..<(count + more)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<count]))
        }
        count = start - 1
        varint(UInt64(length))
        count += length
    }

    private mutating func tag(_ number: UInt8, _ type: WireType) { byte(number << 3 | type.rawValue) }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(rest))
    }

    private mutating func byte(_ value: UInt8) { store(value) }

    private mutating func store<Word: BitwiseCopyable>(_ word: Word) {
        let size = MemoryLayout<Word>.size
        precondition(memory.count - count >= size, "The message is longer than was foreseen")
        memory.storeBytes(of: word, toByteOffset: count, as: Word.self)
        count += size
    }
}
