/// Groups the places of a map query into cells: all places, or those that pass a filter.
struct MapCells {
    private let index: PlaceIndex
    private var chosen: ChosenRows
    /// The rows in the box that pass the filter.
    let inBox: RowSet

    init(_ index: PlaceIndex, _ box: Box, _ filter: RowFilter) {
        self.index = index
        var chosen = ChosenRows(filter, index)
        inBox = chosen.rows(in: box)
        self.chosen = chosen
    }

    // MARK: - Levels

    /// The finest of the levels up to `level` at which at most `limit` cells have a place in the box; 0 if there is none.
    func finestLevel(upTo level: Int, cellLimit limit: Int) -> Int {
        if hasAtMost(limit, cellsAt: level) { return level }
        // A coarser level never has more of them.
        var (low, high) = (0, max(0, level - 1))
        while low < high {
            let middle = (low + high + 1) / 2
            if hasAtMost(limit, cellsAt: middle) { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private func hasAtMost(_ limit: Int, cellsAt level: Int) -> Bool {
        var count = 0
        var next = inBox.first(from: 0)
        while let row = next, count <= limit {
            count += 1
            next = inBox.first(from: index.positions.endOfCell(at: level, from: row))
        }
        return count <= limit
    }

    // MARK: - Cells

    /// The Morton code of the cell of a level in which a row lies.
    func code(of row: Int, at level: Int) -> UInt64 { PlacePositions.cell(of: index.positions.codes[row], at: level) }

    /// A cell of a level; nil if it has no places.
    mutating func cell(_ code: UInt64, at level: Int) -> MapCell? {
        let rows = index.positions.rows(ofCell: code, at: level)
        guard !rows.isEmpty else { return nil }
        guard !chosen.isEvery else { return MapCell(code, rows, index.sum(of: rows)) }
        chosen.judge(rows)
        let sum = index.sum(of: rows, in: chosen.passing)
        guard sum.count > 0, let first = chosen.passing.first(from: rows.lowerBound) else { return nil }
        return MapCell(code, first..<rows.upperBound, sum)
    }

    /// Adds the places of a cell to `details`.
    func add(_ cell: MapCell, to details: inout ClusterDetails) {
        let lastRow = chosen.isEvery ? cell.rows.upperBound - 1 : chosen.passing.last(in: cell.rows)
        details.add(codes: index.positions.codes[cell.rows.lowerBound])
        details.add(codes: index.positions.codes[lastRow ?? cell.rows.lowerBound])
        guard chosen.isEvery else {
            details.add(cell.rows, in: chosen.passing, count: cell.count, of: index)
            return
        }
        let size = PlaceBlocks.size
        let first = (cell.rows.lowerBound + size - 1) / size
        let last = cell.rows.upperBound / size
        guard first < last else {
            details.add(rows: cell.rows, of: index)
            return
        }
        details.add(rows: cell.rows.lowerBound..<first * size, of: index)
        details.add(rows: last * size..<cell.rows.upperBound, of: index)
        details.add(blocks: first..<last, of: index)
    }
}
