/// Reads the output of a ``ByteWriter``; never reads past the end, whatever the input.
struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, from: 0, to: bytes.count) }

    private init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        position = start
        self.end = end
    }

    var isAtEnd: Bool { position == end }

    mutating func byte() throws(StoreError) -> UInt8 {
        guard position < end else { throw ByteReader.cutShort }
        defer { position += 1 }
        return bytes[position]
    }

    /// Eight bytes, least significant first.
    mutating func fixed() throws(StoreError) -> UInt64 {
        guard end - position >= 8 else { throw ByteReader.cutShort }
        defer { position += 8 }
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        return word
    }

    /// A number of 1 to 10 bytes.
    mutating func number() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw .damaged("A number without an end")
    }

    /// A number that fits an `Int`.
    mutating func count() throws(StoreError) -> Int {
        guard let count = Int(exactly: try number()) else { throw .damaged("A number beyond all counts") }
        return count
    }

    /// A number of either sign.
    mutating func signed() throws(StoreError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func text() throws(StoreError) -> String {
        let range = try range()
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// A reader of only the next block; this reader continues after it.
    mutating func block() throws(StoreError) -> ByteReader {
        let range = try range()
        return ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    }

    private mutating func range() throws(StoreError) -> Range<Int> {
        let count = try number()
        guard count <= UInt64(end - position) else { throw ByteReader.cutShort }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }

    private static var cutShort: StoreError { .damaged("Bytes that end prematurely") }
}

/// Appends numbers and texts to bytes; small numbers take few bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// A writer with capacity for `count` bytes; grows if necessary.
    init(expecting count: Int) { bytes.reserveCapacity(count) }

    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    /// Eight bytes, least significant first.
    mutating func write(fixed word: UInt64) { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }

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
    mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// The length in bytes and the UTF-8 of a text.
    mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// The length and the bytes of another writer.
    mutating func write(_ block: ByteWriter) {
        write(UInt64(block.bytes.count))
        bytes.append(contentsOf: block.bytes)
    }
}

extension Double {
    /// The number in steps of `1 / unit` if the inverse conversion gives exactly the same number; nil otherwise (more
    /// digits, huge, −0, not finite).
    func steps(per unit: Double) -> Int64? {
        guard let count = Int64(exactly: (self * unit).rounded()) else { return nil }
        return (Double(count) / unit).bitPattern == bitPattern ? count : nil
    }
}
