import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct HiddenEndsTests {
    @Test(.proves("17.8"), .defends("home-of-a-course"), arguments: 0..<400)
    func `others see no point near the true ends of any way`(seed: UInt64) throws {
        let secret = EndsSecret(first: seed, second: 7)
        let own = CleanTrack(RandomTrack(seed: seed).points).track
        let metres = [1, 50, 200, 1_000][Int(seed % 4)]
        let hidden = HiddenEnds(of: own, metres: metres, secret: secret)
        // No place of the directory may be named.
        let names = PlacesAlong(Track(own.points.filter { hidden.hides($0.coordinate) }))
        let shared = CourseDetails(shared: own, hidden: hidden, names: names)
        var seen = shared.track.points.map(\.coordinate)
        for outline in shared.outlines { seen += try #require(Polyline.decode(outline)) }
        seen += shared.waypoints.map(\.place.coordinate)
        let ends = try [#require(own.points.first), #require(own.points.last)].map(\.coordinate)
        for end in ends {
            #expect(seen.allSatisfy { $0.distanceMetres(to: end) > Double(metres) }, "seed \(seed)")
        }
        #expect(shared.track.points.allSatisfy { $0.time == nil && $0.accuracyMetres == nil && $0.speedMps == nil })
        #expect(shared.stops.isEmpty)
        if let box = shared.box { #expect(shared.track.points.allSatisfy { box.contains($0.coordinate) }) }
        // Shows all points farther than twice the distance from both.
        let points = Set(shared.track.points.map(\.coordinate))
        let farPoints = own.points.map(\.coordinate).filter { point in
            ends.allSatisfy { $0.distanceMetres(to: point) > 2 * Double(metres) + 0.8 }
        }
        #expect(points.isSuperset(of: farPoints), "seed \(seed)")
    }

    @Test func `splits a way hidden in the middle into segments`() {
        // North from the door for 2 km, and back past it for another 2 km.
        let degrees = 100 / Coordinate.earthRadiusMetres * 180 / .pi
        let steps = Array(0...20) + (-20..<20).reversed()
        let points = steps.enumerated().map { index, step in
            TrackPoint(
                Coordinate(latitude: Double(step) * degrees, longitude: 20),
                time: RandomTrack.start + .seconds(Double(index) * 60)
            )
        }
        let own = Track(points)
        let visible = HiddenEnds(of: own, metres: 250, secret: .sample).visible(own)
        #expect(own.segments.count == 1)
        #expect(visible.segments.count == 2)
        let norths = visible.points.map { Int(($0.coordinate.latitude / degrees).rounded()) }
        #expect(norths.allSatisfy { abs($0) > 2 && $0 >= -17 })
        let far = Array(6...20) + (-14..<20).reversed().filter { abs($0) > 5 }
        #expect(norths.filter { abs($0) > 5 && $0 >= -14 } == far)
    }

    @Test(.proves("17.8")) func `hides the whole way of a course within the distance`() {
        let points = (0..<10).map { TrackPoint(Coordinate(latitude: Double($0) * 0.0001, longitude: 5)) }
        let hidden = HiddenEnds(of: Track(points), metres: 200, secret: .sample)
        let shared = CourseDetails(shared: Track(points), hidden: hidden, names: PlacesAlong(Track()))
        #expect(shared.track.isEmpty && shared.outlines.isEmpty && shared.waypoints.isEmpty && shared.box == nil)
    }

    @Test func `users see their own course completely`() throws {
        let own = CleanTrack(RandomTrack(seed: 11, count: 350).points).track
        let details = CourseDetails(own: own, names: PlacesAlong(own))
        #expect(details.track == own && details.box == own.box)
        #expect(details.outlines.count == own.segments.count)
        let outline = try details.outlines.map { try #require(Polyline.decode($0)) }
        #expect(outline.map(\.count).reduce(0, +) == 200)
        #expect(details.waypoints.first?.place.coordinate == own.points.first?.coordinate)
        #expect(details.waypoints.last?.place.coordinate == own.points.last?.coordinate)
    }

    @Test func `a distance of zero hides only the times`() {
        let own = CleanTrack(RandomTrack(seed: 5).points).track
        let visible = HiddenEnds(of: own, metres: 0, secret: .sample).visible(own)
        #expect(visible.points.map(\.coordinate) == own.points.map(\.coordinate))
        #expect(visible.segments == own.segments)
        #expect(visible.points.allSatisfy { $0.time == nil })
    }

    @Test func `hides the end of each device's way`() {
        // The second device begins later and ends first.
        let first = [0.0, 0.02, 0.04].enumerated().map { index, north in
            TrackPoint(
                Coordinate(latitude: north, longitude: 0),
                time: RandomTrack.start + .minutes(Int64(index) * 60),
                segment: 0
            )
        }
        let second = TrackPoint(
            Coordinate(latitude: 0.06, longitude: 0),
            time: RandomTrack.start + .minutes(30),
            segment: 1
        )
        let own = Track(first + [second])
        #expect(
            HiddenEnds(of: own, metres: 200, secret: .sample).visible(own).points.map(\.coordinate.latitude) == [0.02]
        )
    }
}

/// A directory with a place at every point of a way.
private struct PlacesAlong: CoursePlaces {
    private let all: [Place]

    init(_ track: Track) { all = track.points.map { Place(name: "here", coordinate: $0.coordinate) } }

    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        all.map { ($0, $0.coordinate.distanceMetres(to: coordinate)) }
            .filter { $0.1 <= metres }
            .sorted { $0.1 < $1.1 }
            .map(\.0)
    }

    func regionName(at coordinate: Coordinate) -> String? { nil }
}
