/// Reads numbers and parts of a file one after the other.
struct ByteReader {
    private let window: ByteWindow
    /// Where the next byte is read, from the start of the file.
    private(set) var offset: Int
    private let end: Int
    private let isPart: Bool

    /// A reader of a whole file, which starts a walk over it.
    init(_ window: ByteWindow) {
        window.beginWalk()
        self.window = window
        offset = 0
        end = window.count
        isPart = false
    }

    private init(_ window: ByteWindow, _ range: Range<Int>) {
        self.window = window
        offset = range.lowerBound
        end = range.upperBound
        isPart = true
    }

    /// The error of reading beyond the end: the file is truncated, or a part contradicts its length.
    private var overrun: ImageProblem {
        isPart ? .malformed(reason: "a part is shorter than its content") : .truncated
    }

    /// The number of remaining bytes.
    var count: Int { end - offset }

    /// The offsets of the remaining bytes.
    var range: Range<Int> { offset..<end }

    /// The next byte.
    mutating func byte() throws(ImageProblem) -> UInt8 {
        guard offset < end else { throw overrun }
        let byte = try window.bytes(at: offset, least: 1)[0]
        offset += 1
        return byte
    }

    /// The next number of `length` bytes, at most 7, the most significant first.
    mutating func bigEndian(_ length: Int) throws(ImageProblem) -> Int {
        let bytes = try next(length)
        var number = 0
        for index in 0..<length { number = number &<< 8 | Int(bytes[index]) }
        return number
    }

    /// The next number of `length` bytes, at most 7, the least significant first.
    mutating func littleEndian(_ length: Int) throws(ImageProblem) -> Int {
        let bytes = try next(length)
        var number = 0
        for index in 0..<length { number |= Int(bytes[index]) &<< (8 &* index) }
        return number
    }

    /// The next `length` bytes, 0 to 64.
    mutating func take(_ length: Int) throws(ImageProblem) -> [UInt8] { Array(try next(length).prefix(length)) }

    private mutating func next(_ length: Int) throws(ImageProblem) -> UnsafeRawBufferPointer {
        guard length <= count else { throw overrun }
        let bytes = try window.bytes(at: offset, least: length)
        offset += length
        return bytes
    }

    /// Counts a fill byte as a part of the file. Throws `malformed` if there are too many.
    func countFill() throws(ImageProblem) { try window.countPart() }

    /// A reader of the next `length` bytes, 0 or more, which are read later. Throws `malformed` if the file has too
    /// many parts.
    mutating func part(_ length: Int) throws(ImageProblem) -> ByteReader {
        guard length <= count else { throw overrun }
        try window.countPart()
        defer { offset += length }
        return ByteReader(window, offset..<offset + length)
    }

    /// The next bytes in memory, at least `least`, without consuming them. They are valid until the next call of any
    /// reader of the file.
    func ahead(_ least: Int) throws(ImageProblem) -> UnsafeRawBufferPointer {
        guard least <= count else { throw overrun }
        return UnsafeRawBufferPointer(rebasing: try window.bytes(at: offset, least: least).prefix(count))
    }

    /// Consumes bytes that ``ahead(_:)`` returned.
    mutating func skip(_ length: Int) { offset += length }

    /// `true` if a signature of at most 64 bytes is next.
    func starts(with signature: [UInt8]) throws(ImageProblem) -> Bool {
        guard signature.count <= count else { return false }
        return try window.bytes(at: offset, least: signature.count).starts(with: signature)
    }

    /// Consumes a signature and returns `true` if it is next; else consumes nothing.
    mutating func skip(_ signature: [UInt8]) throws(ImageProblem) -> Bool {
        guard try starts(with: signature) else { return false }
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
