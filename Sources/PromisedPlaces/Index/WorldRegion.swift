/// The part of the Mercator map that a box covers: a rectangle, or two where the box crosses the meridian of 180°.
struct WorldRegion {
    /// The position of a cell relative to a region.
    enum Relation {
        case outside
        /// Partly inside, or so near to an edge that only the coordinates decide.
        case crossing
        case inside
    }

    /// The units from one edge to another. Units near an edge are in the outer span, but not in the inner one.
    private struct Span {
        var outerLow: Int64
        var outerHigh: Int64
        var innerLow: Int64
        var innerHigh: Int64

        func relation(to low: Int64, _ high: Int64) -> Relation {
            if high < outerLow || low > outerHigh { return .outside }
            return low >= innerLow && high <= innerHigh ? .inside : .crossing
        }
    }

    private var rectangles: [(x: Span, y: Span)] = []

    /// The region of a box.
    init(_ box: Box) {
        let y = WorldRegion.span(
            WorldPosition.y(ofLatitude: box.north),
            WorldPosition.y(ofLatitude: box.south),
            isOpenLow: box.north >= 90,
            isOpenHigh: box.south <= -90
        )
        let spans: [(Double, Double)] =
            box.crossesDateLine ? [(box.west, 180), (-180, box.east)] : [(box.west, box.east)]
        rectangles = spans.map { west, east in
            let x = WorldRegion.span(
                WorldPosition.x(ofLongitude: west),
                WorldPosition.x(ofLongitude: east),
                isOpenLow: west <= -180,
                isOpenHigh: east >= 180
            )
            return (x, y)
        }
    }

    /// The position of the cell with a Morton code relative to the region; a side of the world has 2^`level` cells.
    func relation(toCell code: UInt64, level: Int) -> Relation {
        let cell = WorldPosition(mortonCode: code)
        let bits = Int64(32 - level)
        let (x, y) = (Int64(cell.x) << bits, Int64(cell.y) << bits)
        let last: Int64 = 1 << bits - 1
        var relation = Relation.outside
        for rectangle in rectangles {
            switch (rectangle.x.relation(to: x, x + last), rectangle.y.relation(to: y, y + last)) {
            case (.inside, .inside): return .inside
            case (.outside, _), (_, .outside): break
            case (.crossing, _), (_, .crossing): relation = .crossing
            }
        }
        return relation
    }

    /// A unit to either side is left to the coordinates. An edge of the world is open.
    private static func span(_ first: UInt32, _ last: UInt32, isOpenLow: Bool, isOpenHigh: Bool) -> Span {
        let (low, high) = (Int64(first), Int64(last))
        return Span(
            outerLow: low - 1,
            outerHigh: high + 1,
            innerLow: isOpenLow ? .min : low + 1,
            innerHigh: isOpenHigh ? .max : high - 1
        )
    }
}
