import Foundation
package import PromisedDomain

/// A plane in metres laid on the sphere at one point (azimuthal equidistant projection).
///
/// Distances and directions from the origin are those of ``Coordinate/distanceMetres(to:)`` exactly; distances between
/// other points are right to a millimetre within a kilometre of the origin and to a metre within ten. Works at the
/// poles and across ±180°.
package struct LocalPlane: Hashable, Sendable {
    /// Where the plane touches the sphere.
    package let origin: Coordinate

    /// The plane at `origin`, which is a valid coordinate.
    package init(origin: Coordinate) {
        self.origin = origin
    }

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

    /// The point of the plane that lies at a coordinate.
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
