package import PromisedDomain

/// A coordinate reference system of positions in files, identified by its EPSG code.
///
/// The constants are those of the EPSG registry. Korea 2000 is treated as WGS 84, as is usual: the two differ by
/// centimetres.
package enum CoordinateSystem: Int, Sendable, CaseIterable {
    /// WGS 84 in degrees: x is the longitude, y the latitude.
    case wgs84 = 4326
    /// The Mercator projection of web maps.
    case webMercator = 3857
    /// Korean 1985, Modified Central Belt: on Bessel's ellipsoid.
    case koreanModifiedCentralBelt = 5174
    /// Korea 2000, Unified.
    case koreaUnified = 5179
    /// Korea 2000, Central Belt with 500,000 m of false northing.
    case koreaCentralBelt = 5181
    /// Korea 2000, Central Belt 2010 with 600,000 m of false northing.
    case koreaCentralBelt2010 = 5186
    /// Korea 2000, East Belt 2010.
    case koreaEastBelt2010 = 5187

    /// The point in WGS 84 at `point`; nil if it lies outside the system or is not a point of the earth.
    package func coordinate(of point: ProjectedPoint) -> Coordinate? {
        guard point.x.isFinite, point.y.isFinite else { return nil }
        let coordinate: Coordinate? =
            switch self {
            case .wgs84: Coordinate(latitude: point.y, longitude: point.x)
            case .webMercator: Self.fromWebMercator(point)
            case .koreanModifiedCentralBelt:
                Self.modifiedCentralBelt.unproject(point).map(DatumShift.korean1985.toWGS84)
            case .koreaUnified: Self.unified.unproject(point)
            case .koreaCentralBelt: Self.centralBelt.unproject(point)
            case .koreaCentralBelt2010: Self.centralBelt2010.unproject(point)
            case .koreaEastBelt2010: Self.eastBelt2010.unproject(point)
            }
        return coordinate.flatMap { $0.isValid ? $0 : nil }
    }

    /// The place of a valid point of WGS 84 in this system; for the Korean systems it must lie within 60° of Korea.
    package func point(of coordinate: Coordinate) -> ProjectedPoint {
        switch self {
        case .wgs84: ProjectedPoint(x: coordinate.longitude, y: coordinate.latitude)
        case .webMercator: Self.toWebMercator(coordinate)
        case .koreanModifiedCentralBelt:
            Self.modifiedCentralBelt.project(DatumShift.korean1985.fromWGS84(coordinate))
        case .koreaUnified: Self.unified.project(coordinate)
        case .koreaCentralBelt: Self.centralBelt.project(coordinate)
        case .koreaCentralBelt2010: Self.centralBelt2010.project(coordinate)
        case .koreaEastBelt2010: Self.eastBelt2010.project(coordinate)
        }
    }

    // MARK: - Web Mercator

    private static let webRadiusMetres = 6_378_137.0

    private static func toWebMercator(_ coordinate: Coordinate) -> ProjectedPoint {
        ProjectedPoint(
            x: webRadiusMetres * coordinate.longitude * .pi / 180,
            y: webRadiusMetres * inverseHyperbolicSine(tangent(coordinate.latitude * .pi / 180))
        )
    }

    private static func fromWebMercator(_ point: ProjectedPoint) -> Coordinate {
        Coordinate(
            latitude: arcTangent(hyperbolicSine(point.y / webRadiusMetres), 1) * 180 / .pi,
            longitude: point.x / webRadiusMetres * 180 / .pi
        )
    }

    // MARK: - Korea

    private static let modifiedCentralBelt = TransverseMercator(
        on: .bessel1841,
        // 127° 0′ 10.405″ E.
        origin: Coordinate(latitude: 38, longitude: 127 + 10.405 / 3_600),
        scale: 1,
        falseOrigin: ProjectedPoint(x: 200_000, y: 500_000)
    )
    private static let unified = korea2000(longitude: 127.5, scale: 0.9996, x: 1_000_000, y: 2_000_000)
    private static let centralBelt = korea2000(longitude: 127, scale: 1, x: 200_000, y: 500_000)
    private static let centralBelt2010 = korea2000(longitude: 127, scale: 1, x: 200_000, y: 600_000)
    private static let eastBelt2010 = korea2000(longitude: 129, scale: 1, x: 200_000, y: 600_000)

    private static func korea2000(longitude: Double, scale: Double, x: Double, y: Double) -> TransverseMercator {
        TransverseMercator(
            on: .grs80,
            origin: Coordinate(latitude: 38, longitude: longitude),
            scale: scale,
            falseOrigin: ProjectedPoint(x: x, y: y)
        )
    }
}
