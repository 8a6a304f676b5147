import Foundation
package import PromisedDomain

/// A point of a ``LocalPlane``, or the vector between two of them, in metres.
package struct PlanePoint: Hashable, Sendable {
    /// Metres east of the plane's origin.
    package var eastMetres: Double
    /// Metres north of the plane's origin.
    package var northMetres: Double

    /// A point at the given metres.
    package init(eastMetres: Double, northMetres: Double) {
        self.eastMetres = eastMetres
        self.northMetres = northMetres
    }

    package static let origin = PlanePoint(eastMetres: 0, northMetres: 0)

    /// The point at a distance from the origin, in a direction counted clockwise from north.
    package static func polar(distanceMetres: Double, bearingDegrees: Double) -> PlanePoint {
        let angle = bearingDegrees * .pi / 180
        return PlanePoint(eastMetres: distanceMetres * sin(angle), northMetres: distanceMetres * cos(angle))
    }

    /// Metres to the origin.
    package var lengthMetres: Double { (eastMetres * eastMetres + northMetres * northMetres).squareRoot() }

    package func distanceMetres(to other: PlanePoint) -> Double { (other - self).lengthMetres }

    /// The point rotated clockwise around the origin.
    package func turned(byDegrees degrees: Double) -> PlanePoint {
        let angle = degrees * .pi / 180
        return PlanePoint(
            eastMetres: eastMetres * cos(angle) + northMetres * sin(angle),
            northMetres: northMetres * cos(angle) - eastMetres * sin(angle)
        )
    }

    /// The sum of both, coordinate by coordinate.
    package static func + (left: PlanePoint, right: PlanePoint) -> PlanePoint {
        PlanePoint(eastMetres: left.eastMetres + right.eastMetres, northMetres: left.northMetres + right.northMetres)
    }

    /// The vector from the second point to the first.
    package static func - (left: PlanePoint, right: PlanePoint) -> PlanePoint {
        PlanePoint(eastMetres: left.eastMetres - right.eastMetres, northMetres: left.northMetres - right.northMetres)
    }

    /// The point `factor` times as far from the origin.
    package static func * (point: PlanePoint, factor: Double) -> PlanePoint {
        PlanePoint(eastMetres: point.eastMetres * factor, northMetres: point.northMetres * factor)
    }
}

/// A plane in metres, tangent to the sphere at one point (azimuthal equidistant projection).
///
/// Distances and directions from the origin are those of ``Coordinate/distanceMetres(to:)`` exactly; distances between
/// other points are accurate to a millimetre within a kilometre of the origin and to a metre within ten. Works at the
/// poles and across ±180°.
package struct LocalPlane: Hashable, Sendable {
    /// Where the plane touches the sphere.
    package let origin: Coordinate

    /// The plane at `origin`, which must be a valid coordinate.
    package init(origin: Coordinate) { self.origin = origin }

    /// The coordinate of a point of the plane; the longitude lies in −180…180.
    package func coordinate(of point: PlanePoint) -> Coordinate {
        let angle = point.lengthMetres / Coordinate.earthRadiusMetres
        let bearing = atan2(point.eastMetres, point.northMetres)
        let latitude = LocalPlane.radians(origin.latitude)
        let inward = cos(latitude) * cos(angle) - sin(latitude) * sin(angle) * cos(bearing)
        let sideways = sin(angle) * sin(bearing)
        let upward = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
        let turn = LocalPlane.degrees(atan2(sideways, inward))
        return Coordinate(
            latitude: LocalPlane.degrees(atan2(upward, (inward * inward + sideways * sideways).squareRoot())),
            longitude: (origin.longitude + turn).wrappedLongitude
        )
    }

    /// The point of the plane at a coordinate.
    package func point(of coordinate: Coordinate) -> PlanePoint {
        let from = LocalPlane.radians(origin.latitude)
        let to = LocalPlane.radians(coordinate.latitude)
        let turn = LocalPlane.radians(coordinate.longitude - origin.longitude)
        let bearing = atan2(sin(turn) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(turn))
        return .polar(
            distanceMetres: origin.distanceMetres(to: coordinate),
            bearingDegrees: LocalPlane.degrees(bearing)
        )
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}

extension Double {
    /// The same meridian within −180…180.
    fileprivate var wrappedLongitude: Double {
        if self > 180 { return self - 360 }
        return self < -180 ? self + 360 : self
    }
}
