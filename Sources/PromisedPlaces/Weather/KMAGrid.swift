internal import PromisedDomain

/// The grid of the Korea Meteorological Administration's short-term forecasts: a Lambert conformal conic projection of a
/// sphere, in cells of 5 km.
///
/// The constants are those of the service's guide ("단기예보 조회서비스 활용가이드").
enum KMAGrid {
    /// The columns, from west to east.
    static let columns = 1...149
    /// The rows, from south to north.
    static let rows = 1...253

    private static let radians = Double.pi / 180
    /// The radius of the sphere, in cells.
    private static let radius = 6_371.008_77 / 5
    private static let standardParallels = (south: 30.0, north: 60.0)
    private static let origin = (latitude: 38.0, longitude: 126.0, column: 43.0, row: 136.0)

    /// The cone's share of a full turn.
    private static let cone =
        naturalLogarithm(cosine(standardParallels.south * radians) / cosine(standardParallels.north * radians))
        / naturalLogarithm(spread(standardParallels.north) / spread(standardParallels.south))
    private static let scale =
        raised(spread(standardParallels.south), to: cone) * cosine(standardParallels.south * radians) / cone
    private static let originDistance = distance(latitude: origin.latitude)

    /// The cell that contains a point; nil outside the grid.
    static func cell(at point: Coordinate) -> (x: Int, y: Int)? {
        guard point.isValid, abs(point.latitude) < 89 else { return nil }
        let distance = distance(latitude: point.latitude)
        let angle = (point.longitude - origin.longitude) * radians * cone
        let x = (distance * sine(angle) + origin.column + 0.5).rounded(.down)
        let y = (originDistance - distance * cosine(angle) + origin.row + 0.5).rounded(.down)
        guard
            x >= Double(columns.lowerBound), x <= Double(columns.upperBound),
            y >= Double(rows.lowerBound), y <= Double(rows.upperBound)
        else { return nil }
        return (Int(x), Int(y))
    }

    /// The middle of a cell.
    static func coordinate(x: Int, y: Int) -> Coordinate {
        let east = Double(x) - origin.column
        let south = originDistance - (Double(y) - origin.row)
        let distance = (east * east + south * south).squareRoot()
        let spread = raised(radius * scale / distance, to: 1 / cone)
        return Coordinate(
            latitude: (2 * arcTangent(spread, 1) - .pi / 2) / radians,
            longitude: origin.longitude + arcTangent(east, south) / cone / radians
        )
    }

    /// How far from the tip of the cone a parallel lies, in cells.
    private static func distance(latitude: Double) -> Double { radius * scale / raised(spread(latitude), to: cone) }

    private static func spread(_ latitude: Double) -> Double { tangent(.pi / 4 + latitude * radians / 2) }

    private static func raised(_ base: Double, to exponent: Double) -> Double {
        exponential(exponent * naturalLogarithm(base))
    }
}
