/// Looks for one term in the texts of an index.
///
/// Streets, numbers and regions are looked at once for each query, when the first place with them comes.
struct TermScan {
    private let pattern: TextPattern
    private let first: TextPattern.Position
    private let index: PlaceIndex
    /// By head and tail of addresses what is known: see ``Part``.
    private var heads: [UInt64]
    private var tails: [UInt64]
    /// `true` for the classes of rows whose region has the term.
    private let classes: [Bool]
    /// The bits that groups must have.
    let requirements: [[Int]]

    /// What is known of a part of an address, in bits. Bit 1 + n: its end is the beginning of the term, n units long, or
    /// its beginning is what follows these.
    private enum Part {
        static let isKnown: UInt64 = 1
        static let hasTerm: UInt64 = 2
        /// Terms whose beginning is longer are not looked for across the border of two parts.
        static let longestOverlap = 62
    }

    /// The rows of a block that have the term, as bits.
    struct Hits {
        /// In a name.
        var names: UInt64 = 0
        /// At the beginning of a word of the principal name.
        var wordStarts: UInt64 = 0
        /// In the address or the region.
        var addresses: UInt64 = 0
    }

    init(_ pattern: TextPattern, in index: PlaceIndex) {
        self.pattern = pattern
        self.index = index
        first = pattern.positions[0]
        requirements = GroupSignatures.requirements(of: pattern)
        guard !pattern.isInitials else {
            (heads, tails, classes) = ([], [], [])
            return
        }
        heads = Array(repeating: 0, count: index.addresses.heads.count)
        tails = Array(repeating: 0, count: index.addresses.tails.count)
        let regions = index.regionKeys.map { key in
            key.units.withUnsafeBufferPointer { TermScan.contains(pattern, $0[...]) }
        }
        classes = index.traits.list.map { $0.region >= 0 && regions[$0.region] }
    }

    /// The rows of a block that have the term.
    ///
    /// - Parameters:
    ///   - rows: at most 64.
    ///   - isFirst: `true` for the first term of a query, of which the beginnings of words are looked for.
    mutating func hits(in rows: Range<Int>, isFirst: Bool) -> Hits {
        var hits = Hits()
        index.names.keys.units.withUnsafeBufferPointer { units in
            for row in rows { look(in: units, row, rows.lowerBound, isFirst, &hits) }
        }
        guard !pattern.isInitials else { return hits }
        for row in rows {
            let bit: UInt64 = 1 << UInt64(row - rows.lowerBound)
            if hits.names & bit == 0, isInAddress(of: row) { hits.addresses |= bit }
        }
        return hits
    }

    private func look(
        in units: UnsafeBufferPointer<UInt16>,
        _ row: Int,
        _ firstRow: Int,
        _ isFirst: Bool,
        _ hits: inout Hits
    ) {
        let range = index.names.keyRange(of: row)
        let last = range.upperBound - pattern.positions.count
        var offset = range.lowerBound
        let bit: UInt64 = 1 << UInt64(row - firstRow)
        while offset <= last {
            if first.matches(units[offset]), TermScan.matches(pattern, units, at: offset) {
                hits.names |= bit
                guard isFirst else { return }
                if index.names.keys.isWordStart(offset), !units[range.lowerBound..<offset].contains(0) {
                    hits.wordStarts |= bit
                    return
                }
            }
            offset += 1
        }
    }

    // MARK: - Addresses

    @inline(__always)
    private mutating func isInAddress(of row: Int) -> Bool {
        if classes[Int(index.traits.classes[row])] { return true }
        let headNumber = Int(index.addresses.headNumbers[row])
        let tailNumber = Int(index.addresses.tailNumbers[row])
        var (head, tail) = (heads[headNumber], tails[tailNumber])
        if head & tail & Part.isKnown == 0 {
            index.addresses.withKeys(headNumber, tailNumber) { headKey, tailKey in
                if head == 0 { head = part(headKey) { overlap(ofEnd: headKey, $0) } }
                if tail == 0 { tail = part(tailKey) { overlap(ofStart: tailKey, $0) } }
            }
            (heads[headNumber], tails[tailNumber]) = (head, tail)
        }
        return (head | tail) & Part.hasTerm != 0 || head & tail & ~(Part.isKnown | Part.hasTerm) != 0
    }

    private func part(_ key: KeySlice, _ overlaps: (Int) -> Bool) -> UInt64 {
        var part = Part.isKnown
        if TermScan.contains(pattern, key) { part |= Part.hasTerm }
        for length in 1..<max(1, min(pattern.positions.count, Part.longestOverlap)) where overlaps(length) {
            part |= 1 << UInt64(length + 1)
        }
        return part
    }

    /// `true` if a key ends with the first units of the term.
    private func overlap(ofEnd key: KeySlice, _ length: Int) -> Bool {
        key.count >= length && zip(pattern.positions, key.suffix(length)).allSatisfy { $0.matches($1) }
    }

    /// `true` if a key begins with what follows the first units of the term.
    private func overlap(ofStart key: KeySlice, _ length: Int) -> Bool {
        let rest = pattern.positions.dropFirst(length)
        return key.count >= rest.count && zip(rest, key).allSatisfy { $0.matches($1) }
    }

    private static func contains(_ pattern: TextPattern, _ key: KeySlice) -> Bool {
        let count = pattern.positions.count
        guard key.count >= count else { return false }
        return (key.startIndex...key.endIndex - count).contains { matches(pattern, key.base, at: $0) }
    }

    @inline(__always)
    private static func matches(_ pattern: TextPattern, _ units: UnsafeBufferPointer<UInt16>, at offset: Int) -> Bool {
        for place in pattern.positions.indices where !pattern.positions[place].matches(units[offset + place]) {
            return false
        }
        return true
    }
}
