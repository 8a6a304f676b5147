/// Searches the texts of an index for one term.
struct TermScan {
    /// The rows of a group that have the term: a bit for each row, 64 of them in a word.
    struct Hits {
        /// In a name.
        var names = SIMD4<UInt64>.zero
        /// At the beginning of a word of the principal name.
        var wordStarts = SIMD4<UInt64>.zero
        /// In the address or the region, unless it is in a name.
        var addresses = SIMD4<UInt64>.zero
    }

    /// The bits that groups must have.
    let requirements: [[Int]]

    private let pattern: UnitPattern
    private var heads: AddressFlags
    private var tails: AddressFlags
    /// `true` for the classes of rows whose region has the term.
    private let classes: [Bool]
    /// `true` if some region has the term.
    private let isInRegions: Bool
    /// `false` if no region, no head and no tail can have the term.
    let isInAddresses: Bool

    init(_ pattern: TextPattern, in index: PlaceIndex) {
        self.pattern = UnitPattern(pattern)
        requirements = BlockSignatures.requirements(of: pattern)
        let regions = index.regionKeys.map { key in
            key.units.indices.contains { pattern.begins(key.units[$0...]) }
        }
        isInRegions = regions.contains(true)
        classes = index.traits.list.map { $0.region >= 0 && regions[$0.region] }
        isInAddresses =
            !pattern.isInitials
            && (isInRegions || self.pattern.hasDigitInside
                || index.addressSignatures.mayHave(requirements))
        heads = AddressFlags(.head, count: isInAddresses ? index.addresses.heads.count : 0)
        tails = AddressFlags(.tail, count: isInAddresses ? index.addresses.tails.count : 0)
    }

    /// The rows of a group that have the term.
    ///
    /// - Parameters:
    ///   - candidates: the rows that matter, as bits.
    ///   - isFirst: `true` for the first term of a query, whose matches at beginnings of words matter.
    ///   - withAddresses: `false` if only names matter.
    mutating func hits(
        in rows: Range<Int>,
        _ candidates: SIMD4<UInt64>,
        _ columns: SearchColumns,
        isFirst: Bool,
        withAddresses: Bool
    ) -> Hits {
        var hits = Hits()
        for word in 0..<4 where candidates[word] != 0 {
            let first = rows.lowerBound + word * 64
            if candidates[word].nonzeroBitCount < TermScan.fewRows {
                var bits = candidates[word]
                while bits != 0 {
                    let row = first + bits.trailingZeroBitCount
                    bits &= bits - 1
                    lookInNames(row..<row + 1, from: rows.lowerBound, columns, isFirst, &hits)
                }
            } else {
                let block = first..<min(first + 64, rows.upperBound)
                lookInNames(block, from: rows.lowerBound, columns, isFirst, &hits)
            }
        }
        guard isInAddresses, withAddresses else { return hits }
        for word in 0..<4 where candidates[word] & ~hits.names[word] != 0 {
            let wanted = candidates[word] & ~hits.names[word]
            hits.addresses[word] = lookInAddresses(from: rows.lowerBound + word * 64, wanted, columns)
        }
        return hits
    }

    /// Testing each row is faster than scanning the whole block if there are fewer rows than this.
    private static let fewRows = 12

    /// Sets the bits of rows, the first row of the group being bit 0.
    @inline(__always)
    private func lookInNames(
        _ rows: Range<Int>,
        from first: Int,
        _ columns: SearchColumns,
        _ isFirst: Bool,
        _ hits: inout Hits
    ) {
        let range = Int(columns.names.offsets[rows.lowerBound])..<Int(columns.names.offsets[rows.upperBound])
        var row = rows.lowerBound
        pattern.forEachMatch(in: columns.names, range) { offset in
            while columns.names.offsets[row + 1] <= offset { row += 1 }
            let end = Int(columns.names.offsets[row + 1])
            guard offset + pattern.count <= end else { return offset + 1 }
            let (word, bit) = ((row - first) >> 6, UInt64(1) << UInt64((row - first) & 63))
            hits.names[word] |= bit
            guard isFirst else { return end }
            guard columns.isWordStart(offset, in: row) else { return offset + 1 }
            hits.wordStarts[word] |= bit
            return end
        }
    }

    /// The wanted rows, bits from a row on, that have the term in the address or the region.
    private mutating func lookInAddresses(from first: Int, _ wanted: UInt64, _ columns: SearchColumns) -> UInt64 {
        let skipped = wanted.trailingZeroBitCount
        let count = 64 - wanted.leadingZeroBitCount - skipped
        let start = first + skipped
        func numbers(_ column: UnsafePointer<UInt32>) -> UnsafeBufferPointer<UInt32> {
            UnsafeBufferPointer(start: column + start, count: count)
        }
        let head = heads.bits(of: numbers(columns.headNumbers), pattern, columns.heads)
        let tail = tails.bits(of: numbers(columns.tailNumbers), pattern, columns.tails)
        var found = head.terms | tail.terms
        if isInRegions {
            for (place, number) in numbers(columns.classes).enumerated() where classes[Int(number)] {
                found |= 1 << UInt64(place)
            }
        }
        var rest = head.ends & tail.ends & ~found & wanted >> UInt64(skipped)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            let (head, tail) = (columns.headNumbers[start + place], columns.tailNumbers[start + place])
            if AddressFlags.isAcross(Int(head), Int(tail), pattern, columns) { found |= 1 << UInt64(place) }
        }
        return found << UInt64(skipped) & wanted
    }
}
