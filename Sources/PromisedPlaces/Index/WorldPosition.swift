internal import PromisedDomain

/// A point in Web Mercator (EPSG 3857): the world is a square whose sides have 2³² units, about 9 mm at the equator.
struct WorldPosition: Hashable, Sendable {
    /// From the meridian of −180° to the east.
    var x: UInt32
    /// From the north to the south. Positions beyond 85.05° are moved to the edge.
    var y: UInt32

    init(x: UInt32, y: UInt32) {
        self.x = x
        self.y = y
    }

    /// The unit in which a point on the earth lies.
    init(_ coordinate: Coordinate) {
        x = WorldPosition.x(ofLongitude: coordinate.longitude)
        y = WorldPosition.y(ofLatitude: coordinate.latitude)
    }

    /// The units on a side of the world.
    static let side = 0x1p32

    /// The column of a longitude.
    static func x(ofLongitude longitude: Double) -> UInt32 { unit((longitude + 180) / 360) }

    /// The row of a latitude.
    static func y(ofLatitude latitude: Double) -> UInt32 {
        let sine = sine(latitude * .pi / 180)
        return unit(0.5 - naturalLogarithm((1 + sine) / (1 - sine)) / (4 * .pi))
    }

    /// The point on the earth at a position in units, which need not be whole.
    static func coordinate(x: Double, y: Double) -> Coordinate {
        let mercator = Double.pi * (1 - 2 * y / side)
        let latitude = arcTangent(hyperbolicSine(mercator), 1) * 180 / .pi
        return Coordinate(latitude: latitude, longitude: x / side * 360 - 180)
    }

    /// The bits of `x` in the even places and those of `y` in the odd ones.
    var mortonCode: UInt64 { WorldPosition.spread(x) | WorldPosition.spread(y) << 1 }

    /// The point of a Morton code.
    init(mortonCode: UInt64) {
        x = WorldPosition.gather(mortonCode)
        y = WorldPosition.gather(mortonCode >> 1)
    }

    private static func unit(_ fraction: Double) -> UInt32 {
        UInt32(min(max(fraction * side, 0), side - 1))
    }

    private static func spread(_ number: UInt32) -> UInt64 {
        var bits = UInt64(number)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func gather(_ code: UInt64) -> UInt32 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
