import Foundation

/// A point of a ``LocalPlane``, or the way between two of them, in metres.
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

    /// The plane's origin.
    package static let origin = PlanePoint(eastMetres: 0, northMetres: 0)

    /// The point at a distance from the origin, in a direction counted clockwise from north.
    package static func polar(distanceMetres: Double, bearingDegrees: Double) -> PlanePoint {
        let angle = bearingDegrees * .pi / 180
        return PlanePoint(eastMetres: distanceMetres * sin(angle), northMetres: distanceMetres * cos(angle))
    }

    /// Metres to the origin.
    package var lengthMetres: Double { (eastMetres * eastMetres + northMetres * northMetres).squareRoot() }

    /// Metres to `other`.
    package func distanceMetres(to other: PlanePoint) -> Double { (other - self).lengthMetres }

    /// The point turned clockwise around the origin.
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

    /// The way from the second point to the first.
    package static func - (left: PlanePoint, right: PlanePoint) -> PlanePoint {
        PlanePoint(eastMetres: left.eastMetres - right.eastMetres, northMetres: left.northMetres - right.northMetres)
    }

    /// The point `factor` times as far from the origin.
    package static func * (point: PlanePoint, factor: Double) -> PlanePoint {
        PlanePoint(eastMetres: point.eastMetres * factor, northMetres: point.northMetres * factor)
    }
}
