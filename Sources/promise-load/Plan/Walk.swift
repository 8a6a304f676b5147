import Foundation
import PromisedDomain

/// The walk of one simulated phone: straight towards its place and, unless it shall arrive, back again.
struct Walk: Hashable, Sendable {
    /// Metres per second, on foot.
    static let speed = 1.4
    /// The accuracy that the phone reports, in metres.
    static let accuracyMetres = 8.0
    /// The largest distance of a phone, so that the server never requests a slower pace; in metres.
    static let farthest = 1_800.0
    /// Phones that do not arrive turn around here; in metres.
    private static let nearest = 300.0
    /// Phones that arrive stand still here; in metres.
    private static let standing = 4.0

    /// The destination.
    var place: Coordinate
    var radiusMetres: Double
    /// The direction of approach from the place, in degrees from north.
    var bearingDegrees: Double
    /// The starting point of phones that do not arrive, between the turning points: 0 to 1.
    var phase: Double
    /// When it crosses the radius; nil for never.
    var arrivesAt: LoadTime?

    /// The distance to the place in metres, `elapsed` after the start.
    func distance(at now: LoadTime, since start: LoadTime) -> Double {
        if let arrivesAt {
            let ahead = radiusMetres + Self.speed * (arrivesAt - now).inSeconds
            return min(max(ahead, Self.standing), Self.farthest)
        }
        let length = Self.farthest - Self.nearest
        let walked = Self.speed * (now - start).inSeconds + phase * 2 * length
        let lap = walked.truncatingRemainder(dividingBy: 2 * length)
        return Self.nearest + abs(length - lap)
    }

    func isMoving(at distance: Double) -> Bool {
        distance > Self.standing && (arrivesAt == nil || distance < Self.farthest)
    }

    func point(at distance: Double) -> Coordinate {
        let radians = bearingDegrees * .pi / 180
        let degrees = distance / Coordinate.earthRadiusMetres * 180 / .pi
        return Coordinate(
            latitude: place.latitude + degrees * cos(radians),
            longitude: place.longitude + degrees * sin(radians) / cos(place.latitude * .pi / 180)
        )
    }
}
