/// A cell of the map with the places that a query is about.
struct MapCell {
    /// The Morton code of the cell at its level.
    var code: UInt64
    /// Rows of the index, or places in the list of selected rows.
    var range: Range<Int>
    /// The sum of the columns of its places.
    var sumX: UInt64
    /// The sum of their rows on the map.
    var sumY: UInt64
    /// The number of its places that lie in the box of the query.
    var countInBox: Int

    /// The number of its places.
    var count: Int { range.count }
    /// The mean column.
    var x: Double { Double(sumX) / Double(range.count) }
    /// The mean row on the map.
    var y: Double { Double(sumY) / Double(range.count) }
}

/// The places that a query of the map is about, all or those that a filter leaves: makes cells of them.
struct MapCells {
    private let index: PlaceIndex
    private let box: Box
    private let region: WorldRegion
    private var filter: RowFilter
    /// The rows that pass the filter, ascending, of the ranges in ``selectedRanges``.
    private var selected: [UInt32] = []
    private var selectedRanges: [Range<Int>] = []

    /// The cells around a box that may decide which clusters have places in it: a cluster reaches one cell beyond the one
    /// in the box, and what joins it is decided by cells up to three further away.
    private static let margin = 4

    init(_ index: PlaceIndex, _ box: Box, _ filter: RowFilter) {
        self.index = index
        self.box = box
        self.filter = filter
        region = WorldRegion(box)
    }

    /// The cells of a level in the box and around it, in the order of their codes; nil if more than `limit` lie wholly in
    /// the box.
    mutating func cells(at level: Int, limit: Int) -> [MapCell]? {
        let extended = region.extended(byCells: MapCells.margin, level: level)
        return filter.allowsAll
            ? allCells(at: level, in: extended, limit: limit) : selectedCells(at: level, in: extended, limit: limit)
    }

    /// The rows in the box that pass, ascending, if at most `limit` do.
    mutating func rows(limit: Int) -> [Int]? {
        var found: [Int] = []
        index.positions.forEachRange(in: region) { rows, isInside in
            guard found.count <= limit else { return }
            for row in rows where filter.allows(row) && (isInside || box.contains(index.positions.coordinates[row])) {
                found.append(row)
                guard found.count <= limit else { return }
            }
        }
        return found.count <= limit ? found : nil
    }

    // MARK: - All places

    private func allCells(at level: Int, in extended: WorldRegion, limit: Int) -> [MapCell]? {
        var cells: [MapCell] = []
        var inside = 0
        let isComplete = index.positions.forEachCell(at: level, in: extended) { node in
            let sum = sum(of: node.rows)
            var countInBox = 0
            switch region.relation(toCell: node.code, level: level) {
            case .outside: break
            case .crossing: countInBox = index.positions.count(of: node, in: box, region)
            case .inside:
                countInBox = node.rows.count
                inside += 1
            }
            cells.append(
                MapCell(code: node.code, range: node.rows, sumX: sum.x, sumY: sum.y, countInBox: countInBox)
            )
            return inside <= limit
        }
        return isComplete ? cells : nil
    }

    private func sum(of rows: Range<Int>) -> (x: UInt64, y: UInt64) {
        let size = PlaceBlocks.size
        let first = (rows.lowerBound + size - 1) / size
        let last = rows.upperBound / size
        guard first < last else { return sumOfEach(rows) }
        var sum = index.blocks.sum(of: first..<last)
        for rest in [rows.lowerBound..<first * size, last * size..<rows.upperBound] {
            let part = sumOfEach(rest)
            sum = (sum.x + part.x, sum.y + part.y)
        }
        return sum
    }

    private func sumOfEach(_ rows: Range<Int>) -> (x: UInt64, y: UInt64) {
        index.positions.withColumns { columns in
            var sum = (x: UInt64(0), y: UInt64(0))
            for row in rows {
                sum.x += UInt64(columns.xs[row])
                sum.y += UInt64(columns.ys[row])
            }
            return sum
        }
    }

    // MARK: - Selected places

    private mutating func selectedCells(at level: Int, in extended: WorldRegion, limit: Int) -> [MapCell]? {
        select(extended)
        var cells: [MapCell] = []
        var inside = 0
        selected.withUnsafeBufferPointer { selected in
            index.positions.withColumns { columns in
                var start = 0
                while start < selected.count, inside <= limit {
                    let cell = cell(from: start, level, selected, columns)
                    if region.relation(toCell: cell.code, level: level) == .inside { inside += 1 }
                    cells.append(cell)
                    start = cell.range.upperBound
                }
            }
        }
        return inside <= limit ? cells : nil
    }

    /// The cell of the selected rows from a place on.
    private func cell(
        from start: Int,
        _ level: Int,
        _ selected: UnsafeBufferPointer<UInt32>,
        _ columns: PlacePositions.Columns
    ) -> MapCell {
        let bits = UInt64(64 - 2 * level)
        let code = columns.codes[Int(selected[start])] >> bits
        let relation = region.relation(toCell: code, level: level)
        var end = start
        var (sumX, sumY, countInBox) = (UInt64(0), UInt64(0), 0)
        while end < selected.count {
            let row = Int(selected[end])
            guard columns.codes[row] >> bits == code else { break }
            sumX += UInt64(columns.xs[row])
            sumY += UInt64(columns.ys[row])
            if relation == .crossing, box.contains(columns.coordinates[row]) { countInBox += 1 }
            end += 1
        }
        if relation == .inside { countInBox = end - start }
        return MapCell(code: code, range: start..<end, sumX: sumX, sumY: sumY, countInBox: countInBox)
    }

    private mutating func select(_ extended: WorldRegion) {
        var ranges: [Range<Int>] = []
        index.positions.forEachRange(in: extended) { rows, _ in
            if let last = ranges.last, last.upperBound == rows.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<rows.upperBound
            } else {
                ranges.append(rows)
            }
        }
        guard ranges != selectedRanges else { return }
        selectedRanges = ranges
        selected.removeAll(keepingCapacity: true)
        for rows in ranges { filter.append(rows, to: &selected) }
    }

    // MARK: - Details

    /// The row of a place of a cell.
    func row(at place: Int) -> Int { filter.allowsAll ? place : Int(selected[place]) }

    /// Adds what is known of the places of a cell.
    func add(_ cell: MapCell, to details: inout ClusterDetails) {
        details.add(codes: index.positions.codes[row(at: cell.range.lowerBound)])
        details.add(codes: index.positions.codes[row(at: cell.range.upperBound - 1)])
        guard filter.allowsAll else {
            details.add(rows: selected[cell.range].lazy.map(Int.init), of: index)
            return
        }
        let size = PlaceBlocks.size
        let first = (cell.range.lowerBound + size - 1) / size
        let last = cell.range.upperBound / size
        guard first < last else {
            details.add(rows: cell.range, of: index)
            return
        }
        details.add(rows: cell.range.lowerBound..<first * size, of: index)
        details.add(rows: last * size..<cell.range.upperBound, of: index)
        details.add(blocks: first..<last, of: index)
    }
}
