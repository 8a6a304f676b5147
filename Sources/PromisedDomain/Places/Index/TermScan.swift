/// Looks for one term in the texts of an index.
struct TermScan {
    /// The rows of a group that have the term: a bit for each row, 64 of them in a word.
    struct Hits {
        /// In a name.
        var names = SIMD4<UInt64>.zero
        /// At the beginning of a word of the principal name.
        var wordStarts = SIMD4<UInt64>.zero
        /// In the address or the region, as far as it is not in a name.
        var addresses = SIMD4<UInt64>.zero
    }

    /// The bits that groups must have.
    let requirements: [[Int]]

    private let pattern: UnitPattern
    private var heads: AddressFlags
    private var tails: AddressFlags
    /// `true` for the classes of rows whose region has the term.
    private let classes: [Bool]
    /// `false` if no region, no head and no tail can have the term.
    let isInAddresses: Bool

    init(_ pattern: TextPattern, in index: PlaceIndex) {
        self.pattern = UnitPattern(pattern)
        requirements = BlockSignatures.requirements(of: pattern)
        let regions = index.regionKeys.map { key in
            key.units.indices.contains { pattern.begins(key.units[$0...]) }
        }
        classes = index.traits.list.map { $0.region >= 0 && regions[$0.region] }
        isInAddresses =
            !pattern.isInitials
            && (regions.contains(true) || self.pattern.hasDigitInside
                || index.addressSignatures.mayHave(requirements))
        heads = AddressFlags(.head, count: isInAddresses ? index.addresses.heads.count : 0)
        tails = AddressFlags(.tail, count: isInAddresses ? index.addresses.tails.count : 0)
    }

    /// The rows of a group that have the term.
    ///
    /// - Parameters:
    ///   - candidates: the rows that matter, as bits.
    ///   - isFirst: `true` for the first term of a query, of which the beginnings of words are looked for.
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
        let first = rows.lowerBound
        var addresses = SIMD4<UInt64>.zero
        for word in 0..<4 {
            var bits = candidates[word] & ~hits.names[word]
            while bits != 0 {
                let place = bits.trailingZeroBitCount
                bits &= bits - 1
                if isInAddress(of: first + word * 64 + place, columns) { addresses[word] |= 1 << UInt64(place) }
            }
        }
        hits.addresses = addresses
        return hits
    }

    /// With fewer rows of a block it takes less time to look at each than at the whole block.
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

    @inline(__always)
    private mutating func isInAddress(of row: Int, _ columns: SearchColumns) -> Bool {
        if classes[Int(columns.classes[row])] { return true }
        let (head, tail) = (Int(columns.headNumbers[row]), Int(columns.tailNumbers[row]))
        let headFlags = heads.flags(of: head, pattern, columns.heads)
        if headFlags & AddressFlags.Flag.hasTerm != 0 { return true }
        let tailFlags = tails.flags(of: tail, pattern, columns.tails)
        if tailFlags & AddressFlags.Flag.hasTerm != 0 { return true }
        return headFlags & tailFlags & AddressFlags.Flag.hasEnd != 0
            && AddressFlags.isAcross(head, tail, pattern, columns)
    }
}
