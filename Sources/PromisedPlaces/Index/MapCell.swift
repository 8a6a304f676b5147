/// A cell of the map with the places of a query.
struct MapCell {
    /// The Morton code of the cell at its level.
    let code: UInt64
    /// The sum of the columns of its places.
    let sumX: UInt64
    /// The sum of their rows on the map.
    let sumY: UInt64
    // A query creates thousands of cells: these numbers are as short as those of rows.
    private let first: UInt32
    private let end: UInt32
    private let places: UInt32

    /// A cell.
    ///
    /// - Parameters:
    ///   - rows: from the first of its places to the end of the cell; includes rows that do not pass the filter.
    ///   - sum: the sums over its places.
    init(_ code: UInt64, _ rows: Range<Int>, _ sum: RowSum) {
        self.code = code
        (sumX, sumY) = (sum.x, sum.y)
        (first, end, places) = (UInt32(rows.lowerBound), UInt32(rows.upperBound), UInt32(sum.count))
    }

    /// The rows from the first of its places to the end of the cell.
    var rows: Range<Int> { Int(first)..<Int(end) }
    /// The number of its places.
    var count: Int { Int(places) }
    /// The mean column.
    var x: Double { Double(sumX) / Double(places) }
    /// The mean row on the map.
    var y: Double { Double(sumY) / Double(places) }
}
