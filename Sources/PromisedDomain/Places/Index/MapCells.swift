/// The places that a query of the map is about, all or those that a filter leaves: makes cells of them.
struct MapCells {
    private let index: PlaceIndex
    private let region: WorldRegion
    private var chosen: ChosenRows
    /// The rows in the box that pass the filter.
    private let inBox: RowSet
    /// The cells that were made last.
    private var layer: [MapCell] = []

    /// The number of places in the box that pass the filter.
    let total: Int

    /// The cells around a box that may decide which clusters have places in it: a cluster reaches one cell beyond the one
    /// in the box, and what joins it is decided by cells up to three further away.
    private static let margin = 4

    init(_ index: PlaceIndex, _ box: Box, _ filter: RowFilter) {
        self.index = index
        region = WorldRegion(box)
        var chosen = ChosenRows(filter, index)
        inBox = chosen.rows(in: box, region)
        total = inBox.count
        self.chosen = chosen
    }

    /// The rows in the box that pass, ascending, if at most `limit` do.
    func rows(limit: Int) -> [Int]? { total <= limit ? inBox.rows : nil }

    // MARK: - Cells

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
            next = inBox.first(from: index.positions.cell(at: level, from: row).rows.upperBound)
        }
        return count <= limit
    }

    /// The cells of a level in the box and around it, in the order of their codes. Of levels that follow one another, each
    /// is coarser than the one before.
    mutating func cells(at level: Int) -> [MapCell] {
        let extended = region.extended(byCells: MapCells.margin, level: level)
        var cells: [MapCell] = []
        if chosen.isEvery {
            index.positions.forEachCell(at: level, in: extended) { node in
                cells.append(MapCell(node, index.sum(of: node.rows), countInBox: inBox.count(in: node.rows)))
            }
        } else {
            chosen.judge(extended)
            var finer = layer[...]
            var next = chosen.passing.first(from: 0)
            while let row = next {
                let node = index.positions.cell(at: level, from: row)
                cells.append(MapCell(node, sum(of: node.rows, &finer), countInBox: inBox.count(in: node.rows)))
                next = chosen.passing.first(from: node.rows.upperBound)
            }
        }
        layer = cells
        return cells
    }

    /// The sum of the chosen rows of a cell: that of the finer cells in it, if these have all of them.
    private func sum(of rows: Range<Int>, _ finer: inout ArraySlice<MapCell>) -> RowSum {
        var sum = RowSum()
        while let cell = finer.first, cell.rows.lowerBound < rows.upperBound {
            finer.removeFirst()
            guard cell.rows.lowerBound >= rows.lowerBound else { continue }
            sum = RowSum(count: sum.count + cell.count, x: sum.x + cell.sumX, y: sum.y + cell.sumY)
        }
        let isWhole = sum.count == chosen.passing.count(in: rows)
        return isWhole ? sum : index.sum(of: rows, in: chosen.passing)
    }

    // MARK: - Details

    /// Adds what is known of the places of a cell.
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
