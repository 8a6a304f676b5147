package import PromisedDomain

/// A part of the map between two parallels and two meridians, its edges included.
///
/// A box whose ``west`` is greater than its ``east`` crosses the meridian of 180°.
package struct Box: Hashable, Sendable {
    /// The smallest latitude, in degrees.
    package var south: Double
    /// The longitude at which the box begins, in degrees.
    package var west: Double
    /// The greatest latitude, in degrees.
    package var north: Double
    /// The longitude at which the box ends, in degrees.
    package var east: Double

    /// The whole earth.
    package static let world = Box(south: -90, west: -180, north: 90, east: 180)

    /// A box by its edges; see ``isValid``.
    package init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// The box of one point.
    package init(_ coordinate: Coordinate) {
        self.init(
            south: coordinate.latitude,
            west: coordinate.longitude,
            north: coordinate.latitude,
            east: coordinate.longitude
        )
    }

    /// `true` if both corners are points on the earth and ``south`` is at most ``north``.
    package var isValid: Bool {
        Coordinate(latitude: south, longitude: west).isValid && Coordinate(latitude: north, longitude: east).isValid
            && south <= north
    }

    /// `true` if the box crosses the meridian of 180°.
    package var crossesDateLine: Bool { west > east }

    /// `true` if a point lies in the box or on its edge.
    package func contains(_ coordinate: Coordinate) -> Bool {
        guard (south...north).contains(coordinate.latitude) else { return false }
        let (longitude, isEastOfWest) = (coordinate.longitude, coordinate.longitude >= west)
        return crossesDateLine ? isEastOfWest || longitude <= east : isEastOfWest && longitude <= east
    }

    /// The point halfway between the edges, on the side of the meridian of 180° on which the box lies.
    package var centre: Coordinate {
        let width = crossesDateLine ? east + 360 - west : east - west
        let longitude = west + width / 2
        return Coordinate(
            latitude: (south + north) / 2,
            longitude: longitude > 180 ? longitude - 360 : longitude
        )
    }

    /// Widens the box so that it contains another. Neither crosses the meridian of 180°.
    package mutating func formUnion(_ other: Box) {
        south = min(south, other.south)
        west = min(west, other.west)
        north = max(north, other.north)
        east = max(east, other.east)
    }

    /// `true` if the box contains the other one. Neither crosses the meridian of 180°.
    func encloses(_ other: Box) -> Bool {
        south <= other.south && west <= other.west && north >= other.north && east >= other.east
    }

    /// The neutral element of unions.
    package static let nowhere = Box(south: .infinity, west: .infinity, north: -.infinity, east: -.infinity)
}
