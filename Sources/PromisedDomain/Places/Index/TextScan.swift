/// Looks for all terms of a query in the texts of an index.
struct TextScan {
    /// The rows of a block that have all terms, as bits.
    struct Matches {
        var all: UInt64
        /// Those with all terms in names.
        var names: UInt64
        /// Those with the first term at the beginning of a word of the name.
        var wordStarts: UInt64
    }

    private let index: PlaceIndex
    private let query: PlaceQuery
    private var terms: [TermScan]
    /// The key that a name must have to equal the query; nil if none can.
    private let exact: [UInt16]?

    init(_ query: PlaceQuery, in index: PlaceIndex) {
        self.index = index
        self.query = query
        terms = query.terms.map { TermScan($0, in: index) }
        exact = query.whole.key
    }

    /// `true` if the texts of a group may have all terms.
    func mayMatch(group: Int) -> Bool {
        terms.allSatisfy { index.signatures.has($0.requirements, in: group) }
    }

    /// Calls `body` with the rows of a group that have all terms, and with their grades.
    mutating func forEachMatch(in group: Int, _ body: (Int, _ grade: Int) -> Void) {
        let end = min((group + 1) * GroupSignatures.size, index.count)
        for start in stride(from: group * GroupSignatures.size, to: end, by: PlaceBlocks.size) {
            let matches = matches(in: start..<min(start + PlaceBlocks.size, end))
            var rest = matches.all
            while rest != 0 {
                let place = rest.trailingZeroBitCount
                rest &= rest - 1
                body(start + place, grade(of: start + place, 1 << UInt64(place), matches))
            }
        }
    }

    private mutating func matches(in rows: Range<Int>) -> Matches {
        var matches = Matches(all: .max, names: .max, wordStarts: 0)
        for term in terms.indices {
            let hits = terms[term].hits(in: rows, isFirst: term == 0)
            matches.all &= hits.names | hits.addresses
            matches.names &= hits.names
            if term == 0 { matches.wordStarts = hits.wordStarts }
            guard matches.all != 0 else { break }
        }
        return matches
    }

    private func grade(of row: Int, _ bit: UInt64, _ matches: Matches) -> Int {
        if matches.names & bit != 0, matches.wordStarts & bit != 0 {
            let range = index.names.keyRange(of: row)
            let count = query.whole.positions.count
            let isBeginning =
                range.count >= count
                && query.whole.positions.indices.allSatisfy { place in
                    query.whole.positions[place].matches(index.names.keys.units[range.lowerBound + place])
                }
            if isBeginning {
                let isWhole = range.count == count || index.names.keys.units[range.lowerBound + count] == 0
                let isEqual = isWhole && exact.map { index.names.keys.units[range].starts(with: $0) } ?? false
                return isEqual ? SearchGrade.equal : SearchGrade.beginning
            }
        }
        if matches.wordStarts & bit != 0 { return SearchGrade.word }
        return matches.names & bit != 0 ? SearchGrade.names : SearchGrade.last
    }
}
