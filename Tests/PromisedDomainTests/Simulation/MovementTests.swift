import Foundation
import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@Suite struct MovementTests {
    // MARK: - Planes

    private static let origins = [
        Coordinate(latitude: 0.5, longitude: 0.5),
        Coordinate(latitude: 37.5665, longitude: 126.9780),
        Coordinate(latitude: -51, longitude: 179.9999),
        Coordinate(latitude: 10, longitude: -180),
        Coordinate(latitude: 89.9999, longitude: 30),
        Coordinate(latitude: 90, longitude: 0),
    ]

    @Test(arguments: origins, [1.0, 50, 2_000, 20_000])
    func `a point keeps its distance from the origin on the sphere and converts back`(
        origin: Coordinate,
        metres: Double
    ) {
        let plane = LocalPlane(origin: origin)
        for bearing in stride(from: 0.0, to: 360, by: 45) {
            let point = PlanePoint.polar(distanceMetres: metres, bearingDegrees: bearing)
            let coordinate = plane.coordinate(of: point)
            #expect(coordinate.isValid)
            #expect(abs(origin.distanceMetres(to: coordinate) - metres) < 0.001)
            #expect(plane.point(of: coordinate).distanceMetres(to: point) < 0.01)
        }
    }

    @Test func `north is up, east is right, and turns go clockwise`() {
        let plane = LocalPlane(origin: Coordinate(latitude: 37, longitude: 127))
        let north = plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: 100))
        let east = plane.coordinate(of: PlanePoint(eastMetres: 100, northMetres: 0))
        #expect(north.latitude > 37 && abs(north.longitude - 127) < 1e-9)
        #expect(east.longitude > 127 && abs(east.latitude - 37) < 1e-6)
        let turned = PlanePoint(eastMetres: 0, northMetres: 100).turned(byDegrees: 90)
        #expect(turned.distanceMetres(to: PlanePoint(eastMetres: 100, northMetres: 0)) < 1e-9)
    }

    // MARK: - Routes and journeys

    private static let corner = Route([
        .origin, PlanePoint(eastMetres: 100, northMetres: 0), PlanePoint(eastMetres: 100, northMetres: 50),
    ])

    @Test(
        arguments: [(-1, 0, 0), (0, 0, 0), (40, 40, 0), (100, 100, 0), (120, 100, 20), (150, 100, 50), (200, 100, 50)]
            as [(Double, Double, Double)]
    )
    func `measures a route along its segments`(metres: Double, east: Double, north: Double) {
        let point = Self.corner.point(atMetres: metres)
        #expect(point.distanceMetres(to: PlanePoint(eastMetres: east, northMetres: north)) < 1e-9)
        #expect(Self.corner.lengthMetres == 150)
    }

    @Test func `a piece of a route keeps the corners inside it`() {
        let piece = Self.corner.piece(from: 90, to: 120)
        #expect(piece.points.count == 3)
        #expect(abs(piece.lengthMetres - 30) < 1e-9)
        #expect(Route([.origin]).lengthMetres == 0)
        #expect(Route([.origin]).point(atMetres: 5) == .origin)
    }

    @Test(arguments: [Pace.walking, .cycling, .driving])
    func `moves at the pace, never much above it, and ends at the route's end`(pace: Pace) {
        var generator = SeededGenerator(seed: 3)
        var itinerary = Itinerary(from: .origin)
        itinerary.move(to: PlanePoint(eastMetres: 10_000, northMetres: 0), at: pace)
        let journey = Journey(itinerary, using: &generator)
        let mean = 10_000 / journey.durationSeconds
        #expect(abs(mean / pace.cruiseMps - 1) < 0.1)
        let speeds = stride(from: 0.5, to: journey.durationSeconds, by: 1).map { journey.speedMps(atSeconds: $0) }
        #expect(speeds.allSatisfy { $0 >= 0 && $0 < pace.cruiseMps + 6 * pace.variationMps })
        #expect(journey.end.distanceMetres(to: PlanePoint(eastMetres: 10_000, northMetres: 0)) < 1e-6)
        #expect(journey.speedMps(atSeconds: journey.durationSeconds + 1) == 0)
    }

    @Test func `a driver waits at a stop for its duration and continues`() {
        var generator = SeededGenerator(seed: 4)
        let route = Route([.origin, PlanePoint(eastMetres: 1_000, northMetres: 0)])
        var itinerary = Itinerary(from: .origin)
        itinerary.move(along: route, at: .driving, stops: [.init(atMetres: 600, seconds: 40)])
        let journey = Journey(itinerary, using: &generator)
        let standing = stride(from: 0, to: journey.durationSeconds, by: 0.5)
            .filter { abs(journey.position(atSeconds: $0).eastMetres - 600) < 0.01 }
        #expect(abs(Double(standing.count) / 2 - 40) <= 1)
        #expect(journey.end.eastMetres == 1_000)
    }

    @Test func `skips stops beyond the ends of a route, and a detour leads to a distant start`() {
        var itinerary = Itinerary(from: PlanePoint(eastMetres: -30, northMetres: 0))
        itinerary.move(
            along: Route([.origin, PlanePoint(eastMetres: 100, northMetres: 0)]),
            at: .walking,
            stops: [.init(atMetres: 0, seconds: 10), .init(atMetres: 100, seconds: 10)]
        )
        var generator = SeededGenerator(seed: 5)
        #expect(itinerary.stages.count == 1)
        let journey = Journey(itinerary, using: &generator)
        #expect(journey.position(atSeconds: 0).eastMetres == -30)
        #expect(journey.end.eastMetres == 100)
    }

    @Test func `red lights lie on the route, in order, and last at most as long as given`() {
        var generator = SeededGenerator(seed: 6)
        let route = Route([.origin, PlanePoint(eastMetres: 30_000, northMetres: 0)])
        let stops = Itinerary.Stop.redLights(along: route, longestSeconds: 45, using: &generator)
        #expect((20...70).contains(stops.count))
        #expect(stops.allSatisfy { (0..<30_000).contains($0.atMetres) && (5...45).contains($0.seconds) })
        #expect(zip(stops, stops.dropFirst()).allSatisfy { $0.atMetres < $1.atMetres })
    }

    @Test func `finds the entry into a circle to the millisecond, never, or at once`() throws {
        let journey = Journey(through: [
            .init(seconds: 0, point: PlanePoint(eastMetres: -100, northMetres: 0)),
            .init(seconds: 100, point: .origin),
        ])
        let entry = try #require(journey.firstEntrySeconds(within: 50, of: .origin))
        #expect(abs(entry - 50) < 0.002)
        #expect(journey.firstEntrySeconds(within: 10, of: PlanePoint(eastMetres: 0, northMetres: 99)) == nil)
        #expect(journey.firstEntrySeconds(within: 200, of: .origin) == 0)
    }
}
