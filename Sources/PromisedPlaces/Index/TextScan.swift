/// Searches the texts of an index for all terms of a query.
struct TextScan {
    /// Four blocks of rows.
    struct Group {
        var number: Int
        /// The rows of the blocks that may have all terms, as bits.
        var rows: SIMD4<UInt64>
    }

    private let index: PlaceIndex
    private var terms: [TermScan]
    private let whole: UnitPattern
    /// The key that a name must have to equal the query; nil if none can.
    private let exact: [UInt16]?
    /// The groups with blocks that may have all terms, ascending, and which blocks these are.
    let groups: [Group]
    /// The terms by number, first those that are quick to search for and leave few rows.
    private let order: [Int]

    init(_ query: PlaceQuery, in index: PlaceIndex) {
        self.index = index
        let terms = query.terms.map { TermScan($0, in: index) }
        self.terms = terms
        whole = UnitPattern(query.whole)
        exact = query.whole.key
        let requirements = terms.flatMap(\.requirements)
        groups = TextScan.groups(in: index, requirements)
        func weight(_ term: Int) -> (Int, Int, Int) {
            (terms[term].isInAddresses ? 1 : 0, -terms[term].requirements.count, term)
        }
        order = terms.indices.sorted { weight($0) < weight($1) }
    }

    /// Calls `body` with the rows of a group that have all terms, and with their grades.
    ///
    /// - Parameter lastGrade: rows of higher grades may be left out.
    @inline(__always)
    mutating func forEachMatch(
        in group: Group,
        lastGrade: Int = SearchGrade.last,
        _ columns: SearchColumns,
        _ body: (Int, _ grade: Int) -> Void
    ) {
        let start = group.number * PlaceBlocks.groupSize
        let rows = start..<min(start + PlaceBlocks.groupSize, index.count)
        var all = group.rows
        var names = all
        var wordStarts = SIMD4<UInt64>.zero
        for term in order {
            let hits = terms[term].hits(
                in: rows,
                all,
                columns,
                isFirst: term == 0,
                // Addresses only contribute matches of the last grade, and of grade 2 with another term.
                withAddresses: lastGrade == SearchGrade.last || term != 0 && lastGrade >= SearchGrade.word
            )
            all &= hits.names | hits.addresses
            names &= hits.names
            if term == 0 { wordStarts = hits.wordStarts }
            if term == 0, lastGrade <= SearchGrade.word { all &= wordStarts }
            guard all != .zero else { return }
        }
        for word in 0..<4 {
            var rest = all[word]
            while rest != 0 {
                let bit = rest & ~(rest - 1)
                rest ^= bit
                let row = start + word * 64 + bit.trailingZeroBitCount
                body(row, grade(of: row, columns, isInNames: names[word] & bit != 0, wordStarts[word] & bit != 0))
            }
        }
    }

    @inline(__always)
    private func grade(of row: Int, _ columns: SearchColumns, isInNames: Bool, _ isWordStart: Bool) -> Int {
        let range = columns.names.range(of: row)
        if isInNames, isWordStart, range.count >= whole.count, whole.matches(columns.names, at: range.lowerBound) {
            let end = range.lowerBound + whole.count
            let isWhole = end == range.upperBound || columns.names.units[end] == 0
            return isWhole && isExact(range.lowerBound, columns) ? SearchGrade.equal : SearchGrade.beginning
        }
        if isWordStart { return SearchGrade.word }
        return isInNames ? SearchGrade.names : SearchGrade.last
    }

    private func isExact(_ offset: Int, _ columns: SearchColumns) -> Bool {
        guard let exact else { return false }
        return exact.indices.allSatisfy { exact[$0] == columns.names.units[offset + $0] }
    }

    private static func groups(in index: PlaceIndex, _ requirements: [[Int]]) -> [Group] {
        let blocks = index.signatures.blocks(having: requirements)
        let count = (index.count + PlaceBlocks.groupSize - 1) / PlaceBlocks.groupSize
        return (0..<count).compactMap { number in
            // Sixteen groups of four blocks in a word.
            let found = blocks[number >> 4] >> UInt64((number & 15) * 4)
            var rows = SIMD4<UInt64>.zero
            for block in 0..<4 where found >> UInt64(block) & 1 == 1 {
                let rest = index.count - number * PlaceBlocks.groupSize - block * PlaceBlocks.size
                rows[block] = rest >= 64 ? .max : rest > 0 ? 1 << UInt64(rest) - 1 : 0
            }
            return rows == .zero ? nil : Group(number: number, rows: rows)
        }
    }
}
