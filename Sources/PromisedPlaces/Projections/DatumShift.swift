internal import PromisedDomain

/// An ellipsoid of revolution.
struct Ellipsoid: Sendable {
    /// Half the greatest diameter, in metres.
    let semiMajorMetres: Double
    /// (a − b) / a.
    let flattening: Double

    /// EPSG 7030.
    static let wgs84 = Ellipsoid(semiMajorMetres: 6_378_137, flattening: 1 / 298.257_223_563)
    /// EPSG 7019.
    static let grs80 = Ellipsoid(semiMajorMetres: 6_378_137, flattening: 1 / 298.257_222_101)
    /// EPSG 7004.
    static let bessel1841 = Ellipsoid(semiMajorMetres: 6_377_397.155, flattening: 1 / 299.152_812_8)

    /// The square of the first eccentricity.
    var eccentricitySquared: Double { flattening * (2 - flattening) }

    // MARK: - Conformal latitudes

    /// The tangent of the conformal latitude that belongs to the tangent of a latitude.
    func conformalTangent(of tau: Double) -> Double {
        let eccentricity = eccentricitySquared.squareRoot()
        let secant = (1 + tau * tau).squareRoot()
        let sigma = hyperbolicSine(eccentricity * inverseHyperbolicTangent(eccentricity * tau / secant))
        return tau * (1 + sigma * sigma).squareRoot() - sigma * secant
    }

    /// The tangent of the latitude that belongs to the tangent of a conformal latitude.
    func tangent(ofConformal conformal: Double) -> Double {
        let rest = 1 - eccentricitySquared
        var tau = conformal / rest
        // Newton's method; two steps reach the precision of a double.
        for _ in 0..<4 {
            let reached = conformalTangent(of: tau)
            tau +=
                (conformal - reached) / (1 + reached * reached).squareRoot()
                * (1 + rest * tau * tau) / (rest * (1 + tau * tau).squareRoot())
        }
        return tau
    }

    // MARK: - Geocentric points

    /// The point, in metres from the centre, of a point in degrees on the surface.
    func geocentric(_ point: Coordinate) -> SIMD3<Double> {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        let sineLatitude = sine(latitude)
        let radius = semiMajorMetres / (1 - eccentricitySquared * sineLatitude * sineLatitude).squareRoot()
        return SIMD3(
            radius * cosine(latitude) * cosine(longitude),
            radius * cosine(latitude) * sine(longitude),
            radius * (1 - eccentricitySquared) * sineLatitude
        )
    }

    /// The point in degrees below or above a point near the surface; its height is dropped (Bowring's formula).
    func geodetic(_ point: SIMD3<Double>) -> Coordinate {
        let semiMinor = semiMajorMetres * (1 - flattening)
        let distance = (point.x * point.x + point.y * point.y).squareRoot()
        let reduced = arcTangent(point.z * semiMajorMetres, distance * semiMinor)
        let (sineReduced, cosineReduced) = (sine(reduced), cosine(reduced))
        let secondEccentricity = eccentricitySquared / (1 - eccentricitySquared)
        let latitude = arcTangent(
            point.z + secondEccentricity * semiMinor * sineReduced * sineReduced * sineReduced,
            distance - eccentricitySquared * semiMajorMetres * cosineReduced * cosineReduced * cosineReduced
        )
        return Coordinate(latitude: latitude * 180 / .pi, longitude: arcTangent(point.y, point.x) * 180 / .pi)
    }
}

/// The transformation from one datum to WGS 84: a rotation about a pivot, a scale and a translation
/// (Molodensky–Badekas, coordinate frame rotation; EPSG method 9636).
struct DatumShift: Sendable {
    private let ellipsoid: Ellipsoid
    /// Metres.
    private let move: SIMD3<Double>
    /// Radians.
    private let turn: SIMD3<Double>
    private let scale: Double
    /// Metres from the centre.
    private let pivot: SIMD3<Double>

    /// Korean 1985 to WGS 84 (1), EPSG transformation 5191; accuracy 1 m.
    static let korean1985 = DatumShift(
        ellipsoid: .bessel1841,
        move: SIMD3(-145.907, 505.034, 685.756),
        turn: SIMD3(-1.162, 2.347, 1.592) * (.pi / 648_000),
        scale: 1 + 6.342e-6,
        pivot: SIMD3(-3_159_521.31, 4_068_151.32, 3_748_113.85)
    )

    /// The same point in WGS 84.
    func toWGS84(_ point: Coordinate) -> Coordinate {
        let arm = ellipsoid.geocentric(point) - pivot
        return Ellipsoid.wgs84.geodetic(scale * turned(arm, by: turn) + pivot + move)
    }

    /// The same point in the other datum.
    func fromWGS84(_ point: Coordinate) -> Coordinate {
        let arm = Ellipsoid.wgs84.geocentric(point) - move - pivot
        return ellipsoid.geodetic(turned(arm / scale, by: -turn) + pivot)
    }

    /// The turn is a few seconds of arc, so that sines equal angles.
    private func turned(_ arm: SIMD3<Double>, by turn: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            arm.x + turn.z * arm.y - turn.y * arm.z,
            -turn.z * arm.x + arm.y + turn.x * arm.z,
            turn.y * arm.x - turn.x * arm.y + arm.z
        )
    }
}
