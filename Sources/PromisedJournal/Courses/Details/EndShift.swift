internal import PromisedDomain

/// The way from an end of a course to the middle of the circle that hides it.
///
/// A circle around the end itself would give the end away: three ways from one door show where its edge runs, and so
/// its middle. So the middle lies beside the end, in a direction and at a distance that follow from a secret of the
/// user and from the end. Four properties protect the secret:
///
/// 1. The shift of a point differs little from those of points nearby. A receiver puts one door elsewhere each time, by
///    some metres. If each of these points were shifted independently, the mean of many middles would be the door.
/// 2. Direction and distance are sums of plane waves through the earth. Such a sum has no cells, at whose borders a door
///    would have two shifts, and no seam at ±180°. Within some kilometres the direction turns so far that the shift at
///    one door says nothing about the one at another.
/// 3. The shift is never near 0, and its direction is uniformly distributed.
/// 4. All distances from ``stepMetres`` up to its double have the same shift. Shifts in proportion to the distance
///    would point back to the end: along the line through two middles.
///
/// Directions are compass bearings, so they differ between neighbours only near a pole.
struct EndShift {
    /// The number of waves; more do not improve the result.
    private static let waveCount = 16
    /// A shift is this part of ``stepMetres``, give or take ``swing``: from 0.3 to 0.5.
    private static let mean = 0.4
    private static let swing = 0.1
    /// The angles have this standard deviation in radians. From 3 on, the direction is uniform to within 2 %.
    private static let deviation = Double.pi
    /// A wave turns by this many radians over ``stepMetres``, or over ``smallestScale`` if that is more.
    private static let turn = 0.25
    /// In metres. Receivers err by less, so a small circle is shifted evenly too.
    private static let smallestScale = 50.0

    /// The largest number of …, 100, 200, 400, … metres that is not above the distance.
    private let stepMetres: Double
    private let waves: [Wave]
    private let bearing: Double
    private let phase: Double

    private struct Wave {
        var vector: Point
        var phase: Double
    }

    /// The shift of a user's circles for a distance of at least 1 m.
    init(metres: Int, secret: EndsSecret) {
        var (step, stepMetres) = (0 as Int64, Double(HiddenEnds.defaultMetres))
        while stepMetres > Double(metres) { (step, stepMetres) = (step - 1, stepMetres / 2) }
        while stepMetres * 2 <= Double(metres) { (step, stepMetres) = (step + 1, stepMetres * 2) }
        var drawn: UInt64 = 0
        // Uniform in 0..<1.
        func draw() -> Double {
            drawn += 1
            return Double(secret.number(UInt64(bitPattern: step), drawn) >> 11) / 0x1p53
        }
        let length = EndShift.turn / max(stepMetres, EndShift.smallestScale)
        self.stepMetres = stepMetres
        (bearing, phase) = (2 * .pi * draw(), 2 * .pi * draw())
        waves = (0..<EndShift.waveCount).map { _ in
            let (height, angle) = (2 * draw() - 1, 2 * .pi * draw())
            let across = (1 - height * height).squareRoot()
            let vector = Point(x: across * cosine(angle), y: across * sine(angle), z: height) * length
            return Wave(vector: vector, phase: 2 * .pi * draw())
        }
    }

    /// The middle of the circle around an end: at most half the distance, at least a seventh of it away.
    func middle(of end: Coordinate) -> Coordinate {
        let (latitude, longitude) = (end.latitude * .pi / 180, end.longitude * .pi / 180)
        let up = Point(
            x: cosine(latitude) * cosine(longitude),
            y: cosine(latitude) * sine(longitude),
            z: sine(latitude)
        )
        let east = Point(x: -sine(longitude), y: cosine(longitude), z: 0)
        let north = Point(
            x: -sine(latitude) * cosine(longitude),
            y: -sine(latitude) * sine(longitude),
            z: cosine(latitude)
        )
        let (direction, metres) = shift(at: up * Coordinate.earthRadiusMetres)
        let angle = metres / Coordinate.earthRadiusMetres
        let along = north * cosine(direction) + east * sine(direction)
        return Coordinate(of: up * cosine(angle) + along * sine(angle))
    }

    /// The direction in radians from north over east, and the distance.
    private func shift(at point: Point) -> (direction: Double, metres: Double) {
        // The mean of a squared cosine is a half.
        let height = EndShift.deviation * (2 / Double(waves.count)).squareRoot()
        var (direction, level) = (bearing, phase)
        for wave in waves {
            let angle = wave.vector.product(with: point) + wave.phase
            direction += height * cosine(angle)
            level += height * sine(angle)
        }
        return (direction, stepMetres * (EndShift.mean + EndShift.swing * cosine(level)))
    }
}

/// A point in space: the earth's centre is the origin, z points to the north pole and x to 0° north, 0° east.
private struct Point {
    var x: Double
    var y: Double
    var z: Double

    static func * (point: Point, factor: Double) -> Point {
        Point(x: point.x * factor, y: point.y * factor, z: point.z * factor)
    }

    static func + (one: Point, other: Point) -> Point {
        Point(x: one.x + other.x, y: one.y + other.y, z: one.z + other.z)
    }

    func product(with other: Point) -> Double { x * other.x + y * other.y + z * other.z }
}

extension Coordinate {
    fileprivate init(of point: Point) {
        let across = (point.x * point.x + point.y * point.y).squareRoot()
        self.init(
            latitude: arcTangent(point.z, across) * 180 / .pi,
            longitude: arcTangent(point.y, point.x) * 180 / .pi
        )
    }
}
