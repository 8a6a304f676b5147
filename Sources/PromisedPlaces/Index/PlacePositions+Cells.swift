extension PlacePositions {
    /// A cell of the map that has places; a level has 2^`level` cells on a side of the world.
    private struct Node {
        /// The Morton code of the cell.
        var code: UInt64
        var level: Int
        /// The rows of the places in it, at least one.
        var rows: Range<Int>
    }

    /// Crossing cells with at most this number of rows are not split.
    private static let smallestSplit = 32

    /// Calls `body` with the ranges of rows that make up a region, ascending, none of them empty; `isInside` is false for
    /// ranges that hold places outside as well.
    func forEachRange(in region: WorldRegion, _ body: (Range<Int>, _ isInside: Bool) -> Void) {
        guard !codes.isEmpty else { return }
        descend(Node(code: 0, level: 0, rows: codes.indices), region, body)
    }

    /// Visits the largest cells that are inside, and cells at the edge that have reached the limit of depth or size.
    private func descend(_ node: Node, _ region: WorldRegion, _ visit: (Range<Int>, _ isInside: Bool) -> Void) {
        switch region.relation(toCell: node.code, level: node.level) {
        case .outside: return
        case .inside: visit(node.rows, true)
        case .crossing:
            guard node.level < 32, node.rows.count > PlacePositions.smallestSplit else {
                return visit(node.rows, false)
            }
            var start = node.rows.lowerBound
            for quarter in UInt64(0)..<4 {
                let child = node.code << 2 | quarter
                let bits = UInt64(2 * (31 - node.level))
                let end =
                    quarter == 3
                    ? node.rows.upperBound : firstRow(from: (child + 1) << bits, in: start..<node.rows.upperBound)
                guard start < end else { continue }
                descend(Node(code: child, level: node.level + 1, rows: start..<end), region, visit)
                start = end
            }
        }
    }

    // MARK: - Cells of one level

    /// The Morton code of the cell of a level with a position, given by its own.
    @inline(__always)
    static func cell(of code: UInt64, at level: Int) -> UInt64 { code >> UInt64(64 - 2 * level) }

    /// The rows of the cell with a Morton code at a level.
    func rows(ofCell code: UInt64, at level: Int) -> Range<Int> {
        let first = firstRow(from: code << UInt64(64 - 2 * level), in: codes.indices)
        let hasPlaces = first < codes.count && PlacePositions.cell(of: codes[first], at: level) == code
        return first..<(hasPlaces ? endOfCell(at: level, from: first) : first)
    }

    /// The end of the rows of the cell of a level that a row lies in: found by doubling steps, then by bisection.
    func endOfCell(at level: Int, from row: Int) -> Int {
        let code = PlacePositions.cell(of: codes[row], at: level)
        var (step, start) = (1, row)
        while start + step < codes.count, PlacePositions.cell(of: codes[start + step], at: level) == code {
            start += step
            step *= 2
        }
        var (low, high) = (start + 1, min(start + step, codes.count))
        while low < high {
            let middle = (low + high) >> 1
            if PlacePositions.cell(of: codes[middle], at: level) == code { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
