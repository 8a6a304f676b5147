extension PlacePositions {
    /// A cell of the map that has places: all of one level, 2^`level` of them on a side of the world.
    struct Node {
        /// The Morton code of the cell.
        var code: UInt64
        var level: Int
        /// The rows of the places in it.
        var rows: Range<Int>
    }

    /// Rows of crossing cells from which on it is not worth to split these.
    private static let smallestSplit = 32

    /// Calls `body` with the ranges of rows that make up a region, ascending, none of them empty; `isInside` is false for
    /// ranges that hold places outside as well.
    func forEachRange(in region: WorldRegion, _ body: (Range<Int>, _ isInside: Bool) -> Void) {
        descend(root, region, deepest: 32, smallest: PlacePositions.smallestSplit) { node, isInside in
            body(node.rows, isInside)
        }
    }

    /// Calls `body` with the cells of a level that have places and are at least partly in a region, in the order of their
    /// codes.
    func forEachCell(at level: Int, in region: WorldRegion, _ body: (Node) -> Void) {
        descend(root, region, deepest: level, smallest: 0) { node, _ in
            forEachCell(at: level, of: node, body)
        }
    }

    private var root: Node { Node(code: 0, level: 0, rows: codes.indices) }

    /// Visits the largest nodes that are inside, and those at the edge that are as deep or as small as they may be.
    private func descend(
        _ node: Node,
        _ region: WorldRegion,
        deepest: Int,
        smallest: Int,
        _ visit: (Node, _ isInside: Bool) -> Void
    ) {
        guard !node.rows.isEmpty else { return }
        switch region.relation(toCell: node.code, level: node.level) {
        case .outside: return
        case .inside: visit(node, true)
        case .crossing:
            guard node.level < deepest, node.rows.count > smallest else { return visit(node, false) }
            var start = node.rows.lowerBound
            for quarter in UInt64(0)..<4 {
                let child = node.code << 2 | quarter
                let bits = UInt64(2 * (31 - node.level))
                let end =
                    quarter == 3
                    ? node.rows.upperBound : firstRow(from: (child + 1) << bits, in: start..<node.rows.upperBound)
                guard start < end else { continue }
                let part = Node(code: child, level: node.level + 1, rows: start..<end)
                descend(part, region, deepest: deepest, smallest: smallest, visit)
                start = end
            }
        }
    }

    private func forEachCell(at level: Int, of node: Node, _ body: (Node) -> Void) {
        guard node.level < level else { return body(node) }
        var start = node.rows.lowerBound
        while start < node.rows.upperBound {
            let cell = cell(at: level, from: start)
            body(cell)
            start = cell.rows.upperBound
        }
    }

    /// The cell of a level that a row lies in, without the rows before that one.
    func cell(at level: Int, from row: Int) -> Node {
        let bits = UInt64(64 - 2 * level)
        let code = codes[row] >> bits
        return Node(code: code, level: level, rows: row..<endOfCell(code, bits, in: row..<codes.count))
    }

    /// The end of the rows with a code, the first of which is known: in steps that double, then by halves.
    private func endOfCell(_ code: UInt64, _ bits: UInt64, in rows: Range<Int>) -> Int {
        var step = 1
        var start = rows.lowerBound
        while start + step < rows.upperBound, codes[start + step] >> bits == code {
            start += step
            step *= 2
        }
        let end = min(start + step, rows.upperBound)
        var (low, high) = (start + 1, end)
        while low < high {
            let middle = (low + high) >> 1
            if codes[middle] >> bits == code { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
