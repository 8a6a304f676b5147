/// Compressed bytes that arrive in pieces.
protocol InflateSource {
    /// The next bytes, at least one; nil at the end. They are valid until the next call.
    mutating func piece() throws(ImageProblem) -> UnsafeRawBufferPointer?
}

/// Reads a zlib stream (RFC 1950) with its DEFLATE data (RFC 1951) to its end, with or without storing the output.
///
/// Codes are read bit by bit: their tables are built in time proportional to the length of their description, however
/// short the blocks are. The checksum at the end of the stream is not compared.
struct Inflate<Source: InflateSource> {
    private var source: Source
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var index = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    private let most: Int
    private let keeps: Bool
    /// The number of compressed bytes read so far.
    private(set) var consumed = 0
    /// The number of bytes of output so far.
    private(set) var produced = 0
    /// The output; empty if it is not stored.
    private(set) var output: [UInt8] = []

    /// A stream that has not been read yet.
    ///
    /// - Parameters:
    ///   - most: the most bytes of output.
    ///   - keepsOutput: `true` to store the output.
    init(_ source: Source, most: Int, keepsOutput: Bool) {
        self.source = source
        self.most = most
        keeps = keepsOutput
    }

    /// Reads the stream to the end of its checksum, once; the bytes after it are not read. A truncated checksum is
    /// accepted.
    ///
    /// - Throws: `malformed` for a stream that is invalid, truncated or too long.
    mutating func run() throws(ImageProblem) {
        let (method, flags) = (try number(8), try number(8))
        guard method & 15 == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0 else {
            throw Self.invalid
        }
        try readBlocks()
        for _ in 0..<4 where try hasMore() { _ = try number(8) }
    }

    /// Reads DEFLATE data without a header, to the end of its last block, once.
    ///
    /// - Throws: the errors of ``run()``.
    mutating func readBlocks() throws(ImageProblem) {
        var isLast = false
        while !isLast {
            isLast = try number(1) == 1
            switch try number(2) {
            case 0: try readStored()
            case 1: try readBlock(.fixedLengths, .fixedDistances)
            case 2: try readDynamic()
            default: throw Self.invalid
            }
        }
        (bits, bitCount) = (0, 0)
    }

    private static var invalid: ImageProblem { .malformed(reason: "the compressed data is invalid") }

    // MARK: - Bits

    private mutating func hasMore() throws(ImageProblem) -> Bool {
        while index == bytes.count {
            guard let next = try source.piece() else { return false }
            (bytes, index) = (next, 0)
        }
        return true
    }

    private mutating func nextByte() throws(ImageProblem) -> UInt8 {
        guard try hasMore() else { throw .malformed(reason: "the compressed data breaks off") }
        defer {
            index += 1
            consumed += 1
        }
        return bytes[index]
    }

    /// The number of the next bits, at most 16, the least significant first.
    private mutating func number(_ count: Int) throws(ImageProblem) -> Int {
        while bitCount < count {
            bits |= UInt32(try nextByte()) << UInt32(bitCount)
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    /// The symbol of the next bits: among codes of one length the first one has the smallest value.
    private mutating func symbol(_ code: InflateCode) throws(ImageProblem) -> Int {
        var (value, first, start) = (0, 0, 0)
        for length in 1...15 {
            value |= try number(1)
            let count = Int(code.counts[length])
            if value - count < first { return Int(code.symbols[start + value - first]) }
            start += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Self.invalid
    }

    // MARK: - Blocks

    private mutating func readStored() throws(ImageProblem) {
        (bits, bitCount) = (0, 0)
        let length = try number(16)
        guard try number(16) == ~length & 0xFFFF else { throw Self.invalid }
        for _ in 0..<length { try put(try nextByte()) }
    }

    private mutating func readDynamic() throws(ImageProblem) {
        let (lengths, distances) = (try number(5) + 257, try number(5) + 1)
        guard lengths <= 286, distances <= 30 else { throw Self.invalid }
        var order = [UInt8](repeating: 0, count: 19)
        for place in 0..<(try number(4) + 4) { order[Self.order[place]] = UInt8(try number(3)) }
        guard let lengthCode = InflateCode(order, mayBeIncomplete: false) else { throw Self.invalid }
        var read: [UInt8] = []
        while read.count < lengths + distances {
            let symbol = try symbol(lengthCode)
            switch symbol {
            case 0..<16: read.append(UInt8(symbol))
            case 16:
                guard let last = read.last else { throw Self.invalid }
                read += [UInt8](repeating: last, count: 3 + (try number(2)))
            case 17: read += [UInt8](repeating: 0, count: 3 + (try number(3)))
            default: read += [UInt8](repeating: 0, count: 11 + (try number(7)))
            }
        }
        guard read.count == lengths + distances, read[256] > 0,
            let literals = InflateCode(Array(read[..<lengths]), mayBeIncomplete: true),
            let distanceCode = InflateCode(Array(read[lengths...]), mayBeIncomplete: true)
        else { throw Self.invalid }
        try readBlock(literals, distanceCode)
    }

    private mutating func readBlock(_ literals: InflateCode, _ distances: InflateCode) throws(ImageProblem) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try put(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw Self.invalid }
            let (base, extra) = Self.lengths[symbol - 257]
            let length = base + (try number(extra))
            let code = try self.symbol(distances)
            guard code < 30 else { throw Self.invalid }
            let (near, more) = Self.distances[code]
            try copy(length, from: near + (try number(more)))
        }
    }

    private mutating func put(_ byte: UInt8) throws(ImageProblem) {
        try grow(1)
        if keeps { output.append(byte) }
    }

    private mutating func copy(_ length: Int, from distance: Int) throws(ImageProblem) {
        guard distance <= produced else { throw Self.invalid }
        try grow(length)
        guard keeps else { return }
        // Byte by byte: source and destination may overlap.
        for _ in 0..<length { output.append(output[output.count - distance]) }
    }

    private mutating func grow(_ count: Int) throws(ImageProblem) {
        produced += count
        guard produced <= most else { throw .malformed(reason: "the compressed data is longer than its content") }
    }

    // MARK: - Tables (RFC 1951 section 3.2)

    private static var order: [Int] { InflateTables.order }
    private static var lengths: [(Int, Int)] { InflateTables.lengths }
    private static var distances: [(Int, Int)] { InflateTables.distances }
}

/// A Huffman code of DEFLATE, by the lengths of its symbols (RFC 1951 section 3.2.2).
struct InflateCode {
    /// The number of codes of each length, from 0 to 15.
    let counts: [UInt16]
    /// The symbols, by the length of their codes.
    let symbols: [UInt16]

    /// The code with these lengths, 0 to 15 each; nil if such a code is impossible.
    ///
    /// - Parameter mayBeIncomplete: `true` to accept a code of at most one symbol.
    init?(_ lengths: [UInt8], mayBeIncomplete: Bool) {
        var counts = [UInt16](repeating: 0, count: 16)
        for length in lengths { counts[Int(length)] += 1 }
        var left = 1
        for length in 1...15 {
            left = left << 1 - Int(counts[length])
            guard left >= 0 else { return nil }
        }
        let coded = lengths.count - Int(counts[0])
        guard left == 0 || (mayBeIncomplete && coded == Int(counts[1])) else { return nil }
        var places = [Int](repeating: 0, count: 16)
        for length in 1..<15 { places[length + 1] = places[length] + Int(counts[length]) }
        var symbols = [UInt16](repeating: 0, count: coded)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[places[Int(length)]] = UInt16(symbol)
            places[Int(length)] += 1
        }
        self.counts = counts
        self.symbols = symbols
    }

    /// The codes of blocks that do not define their own (RFC 1951 section 3.2.6).
    static let fixedLengths = fixed(
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112) + [UInt8](repeating: 7, count: 24)
            + [UInt8](repeating: 8, count: 8)
    )
    static let fixedDistances = fixed([UInt8](repeating: 5, count: 32))

    private static func fixed(_ lengths: [UInt8]) -> InflateCode {
        guard let code = InflateCode(lengths, mayBeIncomplete: false) else {
            preconditionFailure("the fixed codes of DEFLATE are complete")
        }
        return code
    }
}

/// The numbers of RFC 1951 section 3.2.5 and 3.2.7.
private enum InflateTables {
    static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The minimum length and the extra bits of the symbols from 257 on.
    static let lengths: [(Int, Int)] = {
        var lengths: [(Int, Int)] = []
        var base = 3
        for index in 0..<28 {
            let extra = index < 8 ? 0 : index / 4 - 1
            lengths.append((base, extra))
            base += 1 << extra
        }
        return lengths + [(258, 0)]
    }()

    /// The minimum distance and the extra bits of the symbols of distances.
    static let distances: [(Int, Int)] = {
        var distances: [(Int, Int)] = []
        var base = 1
        for index in 0..<30 {
            let extra = index < 4 ? 0 : index / 2 - 1
            distances.append((base, extra))
            base += 1 << extra
        }
        return distances
    }()
}

/// The bytes of a part of a file.
struct PartBytes: InflateSource {
    private var reader: ByteReader

    /// The bytes of a part from its start.
    init(_ reader: ByteReader) { self.reader = reader }

    mutating func piece() throws(ImageProblem) -> UnsafeRawBufferPointer? {
        guard reader.count > 0 else { return nil }
        let bytes = try reader.ahead(1)
        reader.skip(bytes.count)
        return bytes
    }
}
