/// Reads numbers and parts of a file one after the other.
struct ByteReader {
    private let bytes: [UInt8]
    /// Where the next byte is read, from the start of the file.
    private(set) var offset: Int
    private let end: Int
    /// The error of reading beyond the end: a file is cut off, while a part contradicts its length.
    private let overrun: ImageProblem

    /// A reader of a whole file.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
        overrun = .truncated
    }

    private init(_ bytes: [UInt8], from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
        overrun = .malformed(reason: "a part is shorter than its content")
    }

    /// How many bytes are left.
    var count: Int { end - offset }

    /// The bytes that are left.
    var rest: ArraySlice<UInt8> { bytes[offset..<end] }

    /// The next byte.
    mutating func byte() throws(ImageProblem) -> UInt8 {
        guard offset < end else { throw overrun }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// The next number of `length` bytes, at most 7, the most significant first.
    mutating func bigEndian(_ length: Int) throws(ImageProblem) -> Int {
        try take(length).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next number of `length` bytes, at most 7, the least significant first.
    mutating func littleEndian(_ length: Int) throws(ImageProblem) -> Int {
        try take(length).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next `length` bytes, 0 or more.
    mutating func take(_ length: Int) throws(ImageProblem) -> ArraySlice<UInt8> {
        guard length <= count else { throw overrun }
        defer { offset += length }
        return bytes[offset..<offset + length]
    }

    /// A reader of the next `length` bytes, 0 or more.
    mutating func part(_ length: Int) throws(ImageProblem) -> ByteReader {
        let start = offset
        _ = try take(length)
        return ByteReader(bytes, from: start, to: offset)
    }

    /// Consumes a signature and returns `true` if it is next; else consumes nothing.
    mutating func skip(_ signature: [UInt8]) -> Bool {
        guard rest.starts(with: signature) else { return false }
        offset += signature.count
        return true
    }
}

extension [UInt8] {
    /// Appends a number of `length` bytes, the most significant first.
    mutating func append(bigEndian number: Int, length: Int) {
        for shift in (0..<length).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }

    /// Appends a number of `length` bytes, the least significant first.
    mutating func append(littleEndian number: Int, length: Int) {
        for shift in 0..<length { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
