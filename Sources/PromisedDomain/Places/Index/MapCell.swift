/// A cell of the map with the places that a query is about.
struct MapCell {
    /// The Morton code of the cell at its level.
    var code: UInt64
    /// The rows between which its places are; others that do not pass the filter are among them.
    var rows: Range<Int>
    /// The number of its places.
    var count: Int
    /// The sum of the columns of its places.
    var sumX: UInt64
    /// The sum of their rows on the map.
    var sumY: UInt64
    /// The number of its places that lie in the box of the query.
    var countInBox: Int

    /// The mean column.
    var x: Double { Double(sumX) / Double(count) }
    /// The mean row on the map.
    var y: Double { Double(sumY) / Double(count) }
}
