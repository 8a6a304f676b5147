/// A cell of the map with the places that a query is about.
struct MapCell {
    /// The Morton code of the cell at its level.
    let code: UInt64
    /// The sum of the columns of its places.
    let sumX: UInt64
    /// The sum of their rows on the map.
    let sumY: UInt64
    // A layer has thousands of cells: the numbers below are kept as short as those of rows.
    private let first: UInt32
    private let end: UInt32
    private let places: UInt32
    private let placesInBox: UInt32

    /// A cell.
    ///
    /// - Parameters:
    ///   - node: its code, and the rows between which its places are; others that do not pass the filter are among them.
    ///   - sum: its places, summed up.
    ///   - countInBox: the number of its places that lie in the box of the query.
    init(_ node: PlacePositions.Node, _ sum: RowSum, countInBox: Int) {
        code = node.code
        (sumX, sumY) = (sum.x, sum.y)
        (first, end) = (UInt32(node.rows.lowerBound), UInt32(node.rows.upperBound))
        (places, placesInBox) = (UInt32(sum.count), UInt32(countInBox))
    }

    /// The rows between which its places are.
    var rows: Range<Int> { Int(first)..<Int(end) }
    /// The number of its places.
    var count: Int { Int(places) }
    /// The number of its places that lie in the box of the query.
    var countInBox: Int { Int(placesInBox) }
    /// The mean column.
    var x: Double { Double(sumX) / Double(places) }
    /// The mean row on the map.
    var y: Double { Double(sumY) / Double(places) }
}
