import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite struct TrackChunkTests {
    /// Points of all kinds: short and long decimals, without any field, at the limits of what a point may be.
    private static func points(seed: UInt64) -> [TrackPoint] {
        var generator = SeededGenerator(seed: seed)
        var (latitude, longitude) = (37.5, 127.0)
        return (0..<Int.random(in: 1...300, using: &generator)).map { _ in
            func chance() -> Bool { Bool.random(using: &generator) }
            func number(_ range: ClosedRange<Double>) -> Double {
                let value = Double.random(in: range, using: &generator)
                return chance() ? (value * 100).rounded() / 100 : value
            }
            latitude += Double.random(in: -0.001...0.001, using: &generator)
            longitude += Double.random(in: -0.001...0.001, using: &generator)
            let isShort = chance()
            let coordinate = Coordinate(
                latitude: isShort ? (latitude * 1e7).rounded() / 1e7 : latitude,
                longitude: isShort ? (longitude * 1e7).rounded() / 1e7 : longitude
            )
            let milliseconds = Int64.random(in: 0...4_000_000_000_000, using: &generator)
            return TrackPoint(
                coordinate,
                altitudeMetres: chance() ? number(-500...9_000) : nil,
                time: chance() ? Instant(milliseconds: milliseconds) : nil,
                accuracyMetres: chance() ? number(0...200) : nil,
                speedMps: chance() ? number(0...90) : nil,
                segment: 3
            )
        }
    }

    private static let extremes = [
        TrackPoint(Coordinate(latitude: -90, longitude: -180), segment: 3),
        TrackPoint(Coordinate(latitude: 90, longitude: 180), altitudeMetres: -0.0, segment: 3),
        TrackPoint(
            Coordinate(latitude: -0.0, longitude: .leastNonzeroMagnitude),
            altitudeMetres: -.greatestFiniteMagnitude,
            time: Instant(milliseconds: .min),
            accuracyMetres: 0,
            speedMps: .greatestFiniteMagnitude,
            segment: 3
        ),
        TrackPoint(Coordinate(latitude: 0, longitude: 0), time: Instant(milliseconds: .max), segment: 3),
    ]

    /// The bits of all fields: equal doubles may differ in the sign of zero.
    private static func bits(_ points: [TrackPoint]) -> [[UInt64?]] {
        points.map { point in
            [
                point.coordinate.latitude.bitPattern, point.coordinate.longitude.bitPattern,
                point.altitudeMetres?.bitPattern, point.time.map { UInt64(bitPattern: $0.milliseconds) },
                point.accuracyMetres?.bitPattern, point.speedMps?.bitPattern, UInt64(point.segment),
            ]
        }
    }

    @Test func `decodes a segment bit by bit`() throws {
        for seed in 0...200 as ClosedRange<UInt64> {
            let points = seed == 0 ? Self.extremes : Self.points(seed: seed)
            let chunk = TrackChunk(encoding: points[...])
            #expect(chunk.count == points.count)
            #expect(try Self.bits(chunk.points(of: 3)) == Self.bits(points), "seed \(seed)")
        }
    }

    @Test func `damaged bytes give an error`() throws {
        let chunk = TrackChunk(encoding: Self.points(seed: 7)[...])
        for end in 0..<chunk.bytes.count {
            let cut = TrackChunk(bytes: Array(chunk.bytes[..<end]), count: chunk.count)
            #expect(throws: StoreError.self) { try cut.points(of: 0) }
        }
        #expect(throws: StoreError.damaged("A track of an unknown version")) {
            try TrackChunk(bytes: [9], count: 0).points(of: 0)
        }
        #expect(throws: StoreError.damaged("A track with another number of points")) {
            try TrackChunk(bytes: chunk.bytes, count: chunk.count + 1).points(of: 0)
        }
    }

    @Test func `decodes way-points and stops unchanged`() throws {
        let place = Place(name: "광장", address: "Pier 1", coordinate: .meetingPlace, placeID: PlaceID(high: 1, low: 2))
        var waypoints: [CourseWaypoint] = []
        for kind in CourseWaypoint.Kind.allCases {
            let copy = Place(name: "a\n\(kind)", coordinate: Coordinate(latitude: -0.1, longitude: 179.123_456_789))
            waypoints.append(CourseWaypoint(name: copy.name, place: copy, kind: kind, atMetres: 0.1))
        }
        #expect(try CourseShapeCoding.waypoints(CourseShapeCoding.encode(waypoints)) == waypoints)
        let stops = [
            CourseStop(place: place, from: Instant(milliseconds: -1), to: .meeting),
            CourseStop(place: Place(name: "", coordinate: .meetingPlace), from: .meeting, to: .meeting),
        ]
        let bytes = CourseShapeCoding.encode(stops)
        #expect(try CourseShapeCoding.stops(bytes) == stops)
        for end in bytes.indices {
            #expect(throws: StoreError.self) { try CourseShapeCoding.stops(Array(bytes[..<end])) }
        }
        #expect(throws: StoreError.damaged("A list with bytes after its end")) {
            try CourseShapeCoding.stops(bytes + [0])
        }
        #expect(throws: StoreError.damaged("An unknown kind of a way-point")) {
            try CourseShapeCoding.waypoints([1, 1, 4])
        }
    }
}
