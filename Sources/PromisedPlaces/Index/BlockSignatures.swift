/// The pairs of letters that occur in the texts of each block of 64 rows, as bits: a search skips the blocks that
/// cannot contain its terms.
///
/// Bits stand for single units, for pairs of neighbours, and in names for the initials of three syllables in a row.
/// Each maps to one of 8,192 bits by its hash: an unset bit is certain, a set one is not.
struct BlockSignatures: Sendable {
    private static let bits = 8_192

    /// For each bit a word per 64 blocks, one bit after the other: a search reads a few rows of them.
    private var signatures: [UInt64]
    /// The number of words of a bit.
    private let words: Int

    init(rows: Int) {
        let blocks = (rows + PlaceBlocks.size - 1) / PlaceBlocks.size
        words = (blocks + 63) / 64
        signatures = [UInt64](repeating: 0, count: BlockSignatures.bits * words)
    }

    /// The size of the bits in bytes.
    var byteCount: Int { signatures.count * 8 }

    // MARK: - Building

    /// Sets the bits of a text.
    mutating func add(_ key: KeySlice, to block: Int) {
        var last: UInt16 = 0
        for unit in key {
            if unit != 0 {
                set(BlockSignatures.bit(unit, 0), in: block)
                if last != 0 { set(BlockSignatures.bit(last, unit), in: block) }
            }
            last = unit
        }
    }

    /// Sets the bit of the last unit of a text and the first one of another, which follows it.
    mutating func add(end: KeySlice, start: KeySlice, to block: Int) {
        guard let last = end.last, let first = start.first else { return }
        set(BlockSignatures.bit(last, first), in: block)
    }

    /// Sets the bits of the initials of a name.
    mutating func add(initialsOf key: KeySlice, to block: Int) {
        var (run, last) = (0, UInt32(0))
        for unit in key {
            guard let initial = Hangul.initial(of: UInt32(unit)) else {
                run = 0
                continue
            }
            last = (last << 5 | (initial - Hangul.initials.lowerBound)) & 0x7FFF
            run += 1
            if run >= 3 { set(BlockSignatures.bit(ofInitials: last), in: block) }
        }
    }

    @inline(__always)
    private mutating func set(_ bit: Int, in block: Int) {
        signatures[bit &* words &+ block >> 6] |= 1 << UInt64(block & 63)
    }

    @inline(__always)
    private static func bit(_ first: UInt16, _ second: UInt16) -> Int {
        Int((UInt32(first) &* 0x9E37_79B1 ^ UInt32(second) &* 0x85EB_CA77) >> 19)
    }

    @inline(__always)
    private static func bit(ofInitials initials: UInt32) -> Int {
        Int(((initials &+ 1) &* 0xC2B2_AE3D) >> 19)
    }

    // MARK: - Asking

    /// The bits of texts that contain a pattern: of each list at least one.
    static func requirements(of pattern: TextPattern) -> [[Int]] {
        let positions = pattern.positions
        if pattern.isInitials {
            let numbers = positions.map { UInt32($0.also) - Hangul.initials.lowerBound }
            return (0..<max(0, numbers.count - 2)).map { start in
                [bit(ofInitials: numbers[start] << 10 | numbers[start + 1] << 5 | numbers[start + 2])]
            }
        }
        var required: [[Int]] = []
        for (place, position) in positions.enumerated() where position.span <= 128 {
            let units = Array(position.lowest...position.lowest + position.span)
            let before = place > 0 ? positions[place - 1].lowest : 0
            if place > 0 {
                required.append(units.map { bit(before, $0) })
            } else if positions.count == 1 || positions[1].span > 128 {
                required.append(units.map { bit($0, 0) })
            }
        }
        return required
    }

    /// The blocks whose texts can meet all requirements, a bit for each. Without requirements all bits are set,
    /// including those after the last block.
    func blocks(having requirements: [[Int]]) -> [UInt64] {
        var blocks = [UInt64](repeating: .max, count: words)
        var any = blocks
        for alternatives in requirements {
            for word in 0..<words { any[word] = 0 }
            for bit in alternatives {
                for word in 0..<words { any[word] |= signatures[bit * words + word] }
            }
            for word in 0..<words { blocks[word] &= any[word] }
        }
        return blocks
    }

    /// `true` if the texts of any block can meet all requirements.
    func mayHave(_ requirements: [[Int]]) -> Bool { blocks(having: requirements).contains { $0 != 0 } }
}
