/// The rows that pass a filter. Judges each block of rows once, when a query first reads it.
struct ChosenRows {
    private let index: PlaceIndex
    private var filter: RowFilter
    /// The rows that pass, of the blocks judged; empty if every row passes.
    private(set) var passing: RowSet
    /// The blocks judged.
    private var judged: RowSet

    /// `true` if every row passes.
    let isEvery: Bool

    init(_ filter: RowFilter, _ index: PlaceIndex) {
        self.index = index
        self.filter = filter
        isEvery = filter.allowsAll
        passing = RowSet(count: isEvery ? 0 : index.count)
        judged = RowSet(count: isEvery ? 0 : index.blocks.boxes.count)
    }

    /// Judges the blocks of a range of rows that is not empty.
    mutating func judge(_ rows: Range<Int>) {
        for block in PlaceBlocks.blocks(of: rows) { _ = bits(of: block) }
    }

    /// The rows that pass and lie in a box.
    mutating func rows(in box: Box) -> RowSet {
        var found = RowSet(count: index.count)
        index.positions.forEachRange(in: WorldRegion(box)) { rows, isInside in
            for block in PlaceBlocks.blocks(of: rows) {
                let bits = bits(of: block) & RowSet.bits(of: rows, in: block)
                found.insert(isInside ? bits : self.bits(bits, of: block, in: box), of: block)
            }
        }
        return found
    }

    /// The given rows of a block that lie in a box.
    private func bits(_ bits: UInt64, of block: Int, in box: Box) -> UInt64 {
        var inBox: UInt64 = 0
        bits.forEachBit { place in
            let coordinate = index.positions.coordinates[block * PlaceBlocks.size + place]
            if box.contains(coordinate) { inBox |= 1 << UInt64(place) }
        }
        return inBox
    }

    /// The rows of a block that pass.
    private mutating func bits(of block: Int) -> UInt64 {
        let start = block * PlaceBlocks.size
        let rows = start..<min(start + PlaceBlocks.size, index.count)
        if isEvery { return RowSet.bits(of: rows, in: block) }
        let mark = UInt64(1) << UInt64(block & 63)
        if judged.bits(of: block >> 6) & mark != 0 { return passing.bits(of: block) }
        judged.insert(mark, of: block >> 6)
        let bits = filter.bits(of: rows)
        passing.insert(bits, of: block)
        return bits
    }
}
