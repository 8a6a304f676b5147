/// The places that a query of the map is about, all or those that a filter leaves: makes cells of them.
struct MapCells {
    private let index: PlaceIndex
    private let box: Box
    private let region: WorldRegion
    private var filter: RowFilter
    /// The rows that pass the filter, of the ranges in ``selectedRanges``.
    private var selected = RowSet(count: 0)
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
            cells.append(cell(node, &inside))
            return inside <= limit
        }
        return isComplete ? cells : nil
    }

    /// The cell of the places of a node; `inside` goes up by one if it lies wholly in the box.
    private func cell(_ node: PlacePositions.Node, _ inside: inout Int) -> MapCell {
        let sum = filter.allowsAll ? index.sum(of: node.rows) : index.sum(of: node.rows, in: selected)
        var countInBox = 0
        switch region.relation(toCell: node.code, level: node.level) {
        case .outside: break
        case .crossing: countInBox = self.countInBox(node)
        case .inside:
            countInBox = sum.count
            inside += 1
        }
        return MapCell(
            code: node.code,
            rows: node.rows,
            count: sum.count,
            sumX: sum.x,
            sumY: sum.y,
            countInBox: countInBox
        )
    }

    /// The number of places of a node that lie in the box.
    private func countInBox(_ node: PlacePositions.Node) -> Int {
        var count = 0
        index.positions.forEachRange(of: node, in: region) { rows, isInside in
            if filter.allowsAll {
                count += isInside ? rows.count : rows.count { box.contains(index.positions.coordinates[$0]) }
                return
            }
            selected.forEachBlock(of: rows) { block, bits in
                var inBox = bits
                if !isInside {
                    bits.forEachBit { place in
                        let coordinate = index.positions.coordinates[block * PlaceBlocks.size + place]
                        if !box.contains(coordinate) { inBox &= ~(1 << UInt64(place)) }
                    }
                }
                count += inBox.nonzeroBitCount
            }
        }
        return count
    }

    // MARK: - Selected places

    private mutating func selectedCells(at level: Int, in extended: WorldRegion, limit: Int) -> [MapCell]? {
        select(extended)
        var cells: [MapCell] = []
        var inside = 0
        var next = selected.first(from: 0)
        while let row = next, inside <= limit {
            let cell = cell(index.positions.cell(at: level, from: row), &inside)
            cells.append(cell)
            next = selected.first(from: cell.rows.upperBound)
        }
        return inside <= limit ? cells : nil
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
        selected = RowSet(count: index.count)
        for rows in ranges {
            var start = rows.lowerBound
            while start < rows.upperBound {
                let block = start / PlaceBlocks.size
                let end = min((block + 1) * PlaceBlocks.size, rows.upperBound)
                selected.insert(filter.bits(of: start..<end), of: block)
                start = end
            }
        }
    }

    // MARK: - Details

    /// Adds what is known of the places of a cell.
    func add(_ cell: MapCell, to details: inout ClusterDetails) {
        let lastRow = filter.allowsAll ? cell.rows.upperBound - 1 : selected.last(in: cell.rows)
        details.add(codes: index.positions.codes[cell.rows.lowerBound])
        details.add(codes: index.positions.codes[lastRow ?? cell.rows.lowerBound])
        guard filter.allowsAll else {
            details.add(cell.rows, in: selected, count: cell.count, of: index)
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
