import PromisedDomain
import PromisedJournal
import PromisedSimulation

/// Ways of every shape, by seed: straight, wandering, round in loops, out and back, with pauses and segments.
struct RandomTrack {
    static let start = Instant(milliseconds: 1_790_000_000_000)

    /// The points in order, in segments.
    let points: [TrackPoint]

    init(seed: UInt64, count: Int? = nil, hasTimes: Bool = true) {
        var generator = SeededGenerator(seed: seed)
        let plane = LocalPlane(origin: RandomTrack.origin(using: &generator))
        let shape = RandomTrack.shape(count ?? Int.random(in: 1...400, using: &generator), using: &generator)
        var (segment, time, altitude) = (0, RandomTrack.start, 100.0)
        let hasAltitudes = generator.chance(0.8)
        points = shape.map { place in
            if generator.chance(0.02) { segment += 1 }
            time = time + .seconds(generator.uniform(0.5...20))
            altitude += 4 * generator.normal()
            return TrackPoint(
                plane.coordinate(of: place),
                altitudeMetres: hasAltitudes && generator.chance(0.95) ? altitude : nil,
                time: hasTimes ? time : nil,
                accuracyMetres: generator.chance(0.5) ? generator.uniform(0...60) : nil,
                segment: segment
            )
        }
    }

    /// Towns, the meridian of 180°, and the far north.
    private static func origin(using generator: inout SeededGenerator) -> Coordinate {
        let origins = [
            Coordinate(latitude: 37.5665, longitude: 126.9780), Coordinate(latitude: -16.8, longitude: 179.999),
            Coordinate(latitude: 78.2, longitude: 15.6), Coordinate(latitude: 0.001, longitude: -0.001),
        ]
        return origins.randomElement(using: &generator) ?? origins[0]
    }

    private static func shape(_ count: Int, using generator: inout SeededGenerator) -> [PlanePoint] {
        let step = generator.uniform(1...60)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return wander(count, step: step, turn: 5, using: &generator)
        case 1: return wander(count, step: step, turn: 60, using: &generator)
        case 2:
            // Loops that pass the door repeatedly.
            let radius = generator.uniform(20...500)
            return (0..<count).map { index in
                let bearing = Double(index) * step / radius * 180 / .pi
                return .polar(distanceMetres: radius + 3 * generator.normal(), bearingDegrees: bearing)
            }
        default:
            let out = wander((count + 1) / 2, step: step, turn: 20, using: &generator)
            return Array((out + out.reversed()).prefix(count))
        }
    }

    private static func wander(
        _ count: Int,
        step: Double,
        turn: Double,
        using generator: inout SeededGenerator
    ) -> [PlanePoint] {
        var (place, bearing) = (PlanePoint.origin, generator.uniform(0...360))
        return (0..<count).map { _ in
            bearing += turn * generator.normal()
            place = place + .polar(distanceMetres: step * generator.fraction(), bearingDegrees: bearing)
            return place
        }
    }
}

extension CleanTrack {
    /// Cleans points long after they were made.
    init(_ points: [TrackPoint]) { self.init(Track(points), at: RandomTrack.start + .days(400)) }
}

extension CourseStatistics {
    /// The statistics of points, cleaned first.
    init(_ points: [TrackPoint]) { self.init(of: CleanTrack(points)) }
}
