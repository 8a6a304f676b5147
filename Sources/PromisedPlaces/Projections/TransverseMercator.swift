internal import PromisedDomain

/// A point of a map projection, in metres.
package struct ProjectedPoint: Hashable, Sendable {
    /// Metres east of the projection's false origin.
    package var x: Double
    /// Metres north of the projection's false origin.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The transverse Mercator projection of an ellipsoid.
///
/// Krüger's series to the fourth order of the third flattening, as Karney gives it ("Transverse Mercator with an
/// accuracy of a few nanometers", 2011): below a micrometre within 3,000 km of the origin.
struct TransverseMercator: Sendable {
    /// The farthest that a point lies east, west, north or south of the origin, in metres.
    static let reachMetres = 3_000_000.0

    private let ellipsoid: Ellipsoid
    private let originLongitude: Double
    private let falseOrigin: ProjectedPoint
    /// Metres on the map for one radian along the meridian.
    private let metresPerRadian: Double
    private let forwardSeries: [Double]
    private let inverseSeries: [Double]
    /// The rectifying latitude of the origin, in radians.
    private let originXi: Double

    /// The projection with its origin at a point in degrees, which has the coordinates `falseOrigin` on the map.
    init(on ellipsoid: Ellipsoid, origin: Coordinate, scale: Double, falseOrigin: ProjectedPoint) {
        let n = ellipsoid.flattening / (2 - ellipsoid.flattening)
        let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
        forwardSeries = [
            n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180,
            13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1_440,
            61 * n3 / 240 - 103 * n4 / 140,
            49_561 * n4 / 161_280,
        ]
        inverseSeries = [
            n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360,
            n2 / 48 + n3 / 15 - 437 * n4 / 1_440,
            17 * n3 / 480 - 37 * n4 / 840,
            4_397 * n4 / 161_280,
        ]
        self.ellipsoid = ellipsoid
        self.falseOrigin = falseOrigin
        originLongitude = origin.longitude
        metresPerRadian = scale * ellipsoid.semiMajorMetres / (1 + n) * (1 + n2 / 4 + n4 / 64)
        let tau = ellipsoid.conformalTangent(of: tangent(origin.latitude * .pi / 180))
        originXi = Self.rectified(xi: arcTangent(tau, 1), eta: 0, by: forwardSeries).xi
    }

    /// The place of a point on the map. The point is in degrees on the projection's own ellipsoid and within 60° of the
    /// central meridian.
    func project(_ point: Coordinate) -> ProjectedPoint {
        let longitude = (point.longitude - originLongitude) * .pi / 180
        let tau = ellipsoid.conformalTangent(of: tangent(point.latitude * .pi / 180))
        let flat = cosine(longitude)
        let spherical = (
            xi: arcTangent(tau, flat),
            eta: inverseHyperbolicSine(sine(longitude) / (tau * tau + flat * flat).squareRoot())
        )
        let (xi, eta) = Self.rectified(xi: spherical.xi, eta: spherical.eta, by: forwardSeries)
        return ProjectedPoint(
            x: falseOrigin.x + metresPerRadian * eta,
            y: falseOrigin.y + metresPerRadian * (xi - originXi)
        )
    }

    /// The point, in degrees on the projection's own ellipsoid, at a place on the map; nil more than
    /// ``reachMetres`` from the origin, and for numbers that are not finite.
    func unproject(_ point: ProjectedPoint) -> Coordinate? {
        let (east, north) = (point.x - falseOrigin.x, point.y - falseOrigin.y)
        guard abs(east) <= Self.reachMetres, abs(north) <= Self.reachMetres else { return nil }
        let (xi, eta) = Self.rectified(
            xi: originXi + north / metresPerRadian,
            eta: east / metresPerRadian,
            by: inverseSeries.map(-)
        )
        let (height, flat) = (hyperbolicSine(eta), cosine(xi))
        let tau = ellipsoid.tangent(ofConformal: sine(xi) / (height * height + flat * flat).squareRoot())
        return Coordinate(
            latitude: arcTangent(tau, 1) * 180 / .pi,
            longitude: originLongitude + arcTangent(height, flat) * 180 / .pi
        )
    }

    /// The series of Krüger, one way or, with the signs turned, the other.
    private static func rectified(xi: Double, eta: Double, by series: [Double]) -> (xi: Double, eta: Double) {
        var result = (xi: xi, eta: eta)
        for (index, factor) in series.enumerated() {
            let multiple = 2 * Double(index + 1)
            result.xi += factor * sine(multiple * xi) * hyperbolicCosine(multiple * eta)
            result.eta += factor * cosine(multiple * xi) * hyperbolicSine(multiple * eta)
        }
        return result
    }
}
