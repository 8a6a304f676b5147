/// Appends numbers and texts to bytes, small numbers in few of them.
struct ByteWriter {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// A writer with room for `count` bytes, and for more when they come.
    init(expecting count: Int) {
        bytes.reserveCapacity(count)
    }

    /// One byte as it is.
    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    /// Eight bytes, least significant first.
    mutating func write(fixed word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Seven bits a byte, least significant first, the high bit set on all but the last: 1 to 10 bytes.
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The same for numbers of either sign: 0, −1, 1, −2, … become 0, 1, 2, 3, ….
    mutating func write(signed number: Int64) {
        write(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// The length in bytes and the UTF-8 of a text.
    mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// The length and the bytes of what another writer wrote.
    mutating func write(_ block: ByteWriter) {
        write(UInt64(block.bytes.count))
        bytes.append(contentsOf: block.bytes)
    }
}
