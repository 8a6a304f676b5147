/// A set of rows: a bit for each, those of a block in one word.
struct RowSet: Sendable {
    private var words: [UInt64]
    /// The blocks from the first to the last with rows of the set; few for a small box.
    private var used = 0..<0

    /// An empty set for an index with `count` rows.
    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// The bits of the rows of a range that lie in a block, at least one.
    @inline(__always)
    static func bits(of rows: Range<Int>, in block: Int) -> UInt64 {
        let start = block * PlaceBlocks.size
        let (first, end) = (max(0, rows.lowerBound - start), min(64, rows.upperBound - start))
        return UInt64.max << UInt64(first) & UInt64.max >> UInt64(64 - end)
    }

    /// The rows of a block in the set.
    @inline(__always)
    func bits(of block: Int) -> UInt64 { words[block] }

    /// Adds rows of a block.
    @inline(__always)
    mutating func insert(_ bits: UInt64, of block: Int) {
        guard bits != 0 else { return }
        words[block] |= bits
        guard !used.contains(block) else { return }
        used = used.isEmpty ? block..<block + 1 : min(used.lowerBound, block)..<max(used.upperBound, block + 1)
    }

    /// The number of rows in the set.
    var count: Int { words[used].reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The rows in the set, ascending.
    var rows: [Int] {
        var rows: [Int] = []
        forEachBlock(of: used.lowerBound * PlaceBlocks.size..<used.upperBound * PlaceBlocks.size) { block, bits in
            bits.forEachBit { rows.append(block * PlaceBlocks.size + $0) }
        }
        return rows
    }

    /// The first row of the set from a row on; nil if there is none.
    func first(from row: Int) -> Int? {
        var block = max(row >> 6, used.lowerBound)
        var mask = block == row >> 6 ? UInt64.max << UInt64(row & 63) : .max
        while block < used.upperBound {
            let bits = words[block] & mask
            if bits != 0 { return block << 6 + bits.trailingZeroBitCount }
            mask = .max
            block += 1
        }
        return nil
    }

    /// The last row of the set in a range; nil if there is none.
    func last(in rows: Range<Int>) -> Int? {
        var block = (rows.upperBound - 1) >> 6
        while block >= rows.lowerBound >> 6 {
            let bits = words[block] & RowSet.bits(of: rows, in: block)
            if bits != 0 { return block << 6 + 63 - bits.leadingZeroBitCount }
            block -= 1
        }
        return nil
    }

    /// Calls `body` with each block that has rows of a range in the set, and with their bits.
    @inline(__always)
    func forEachBlock(of rows: Range<Int>, _ body: (_ block: Int, _ bits: UInt64) -> Void) {
        guard !rows.isEmpty else { return }
        words.withUnsafeBufferPointer { words in
            for block in rows.lowerBound >> 6...(rows.upperBound - 1) >> 6 {
                let bits = words[block] & RowSet.bits(of: rows, in: block)
                if bits != 0 { body(block, bits) }
            }
        }
    }
}

extension UInt64 {
    /// Calls `body` with the place of each bit that is set, ascending.
    @inline(__always)
    func forEachBit(_ body: (Int) -> Void) {
        var rest = self
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}
