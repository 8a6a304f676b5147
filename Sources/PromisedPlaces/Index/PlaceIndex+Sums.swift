/// Sums over rows.
struct RowSum {
    /// The number of rows.
    var count = 0
    /// The sum of their columns in Web Mercator.
    var x: UInt64 = 0
    /// The sum of their rows in Web Mercator.
    var y: UInt64 = 0
}

extension PlaceIndex {
    /// The sum of a range of rows; whole blocks are summed without reading their rows.
    func sum(of rows: Range<Int>) -> RowSum {
        let size = PlaceBlocks.size
        let first = (rows.lowerBound + size - 1) / size
        let last = rows.upperBound / size
        guard first < last else { return sumOfEach(rows) }
        let blocks = blocks.sum(of: first..<last)
        let (start, end) = (sumOfEach(rows.lowerBound..<first * size), sumOfEach(last * size..<rows.upperBound))
        return RowSum(count: rows.count, x: blocks.x + start.x + end.x, y: blocks.y + start.y + end.y)
    }

    private func sumOfEach(_ rows: Range<Int>) -> RowSum {
        positions.withColumns { columns in
            var sum = RowSum(count: rows.count)
            for row in rows {
                sum.x += UInt64(columns.xs[row])
                sum.y += UInt64(columns.ys[row])
            }
            return sum
        }
    }

    /// The sum of the rows of a range that are in a set.
    func sum(of rows: Range<Int>, in set: RowSet) -> RowSum {
        var sum = RowSum()
        set.forEachBlock(of: rows) { block, bits in
            sum.count += bits.nonzeroBitCount
            if bits.nonzeroBitCount <= PlaceBlocks.size / 2 {
                let part = self.sum(of: bits, in: block)
                (sum.x, sum.y) = (sum.x + part.x, sum.y + part.y)
            } else {
                // The rows of the block outside the set are fewer than those in it.
                let whole = blocks.sum(of: block..<block + 1)
                let others = self.sum(of: ~bits & RowSet.bits(of: 0..<count, in: block), in: block)
                (sum.x, sum.y) = (sum.x + whole.x - others.x, sum.y + whole.y - others.y)
            }
        }
        return sum
    }

    @inline(__always)
    private func sum(of bits: UInt64, in block: Int) -> RowSum {
        positions.withColumns { columns in
            var sum = RowSum()
            bits.forEachBit { place in
                sum.x += UInt64(columns.xs[block * PlaceBlocks.size + place])
                sum.y += UInt64(columns.ys[block * PlaceBlocks.size + place])
            }
            return sum
        }
    }
}
