import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct CourseStopTests {
    private static let plane = LocalPlane(origin: Coordinate(latitude: 37.5, longitude: 127))

    /// A point some metres north of the origin at some seconds after the start.
    private func point(_ metres: Double, _ seconds: Double, segment: Int = 0) -> TrackPoint {
        TrackPoint(
            Self.plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: metres)),
            time: RandomTrack.start + .seconds(seconds),
            segment: segment
        )
    }

    private func stops(_ points: [TrackPoint]) -> [CourseStop] {
        CourseStop.along(CleanTrack(points).track, names: Nowhere())
    }

    private func seconds(_ stop: CourseStop) -> [Double] {
        [stop.from, stop.to].map { ($0 - RandomTrack.start).seconds }
    }

    @Test(.proves("17.4")) func `a stop lasts five minutes within fifty metres`() {
        let short = [point(0, 0), point(10, 299.9), point(500, 400)]
        #expect(stops(short).isEmpty)
        let long = [point(0, 0), point(10, 300), point(500, 400)]
        #expect(stops(long).map(seconds) == [[0, 300]])
        // Points 100 m apart fit into a circle of 50 m.
        #expect(stops([point(0, 0), point(99.9, 300), point(0, 600)]).map(seconds) == [[0, 600]])
        #expect(stops([point(0, 0), point(100.1, 400), point(0, 800)]).isEmpty)
    }

    @Test func `separates two stops, and counts a pause of the recorder as one`() {
        let points = [point(0, 0), point(5, 400), point(900, 600), point(905, 700), point(900, 1_000)]
        #expect(stops(points).map(seconds) == [[0, 400], [600, 1_000]])
        let pause = [point(0, 0), point(200, 100), point(210, 1_000, segment: 1), point(500, 1_100, segment: 1)]
        #expect(stops(pause).map(seconds) == [[100, 1_000]])
        #expect(
            stops(pause).first.map { $0.place.coordinate.distanceMetres(to: point(205, 0).coordinate) < 0.1 } == true
        )
    }

    @Test func `points without a time have no stops`() {
        let points = [point(0, 0), point(0, 1_000)].map { point in
            var point = point
            point.time = nil
            return point
        }
        #expect(stops(points).isEmpty)
    }

    @Test(.proves("17.4")) func `offers the fifty longest stops in order of time`() {
        let points = (0..<60).flatMap { number in
            let start = Double(number) * 10_000
            return [point(Double(number) * 1_000, start), point(Double(number) * 1_000, start + 400 + Double(number))]
        }
        let offered = stops(points)
        #expect(offered.map { ($0.to - $0.from).seconds } == (10..<60).map { 400 + Double($0) })
    }

    @Test(arguments: 0..<100)
    func `windows have the largest possible length`(seed: UInt64) {
        let track = CleanTrack(RandomTrack(seed: seed, count: 150).points).track
        #expect(
            CourseStop.along(track, names: Nowhere()).map { [$0.from, $0.to] } == plainStops(track),
            "seed \(seed)"
        )
    }

    /// The rule, literally: from each point the longest part whose points lie together.
    private func plainStops(_ track: Track) -> [[Instant]] {
        let plane = LocalPlane(origin: track.points.first?.coordinate ?? Coordinate(latitude: 0, longitude: 0))
        let places = track.points.map { plane.point(of: $0.coordinate) }
        let times = track.points.compactMap(\.time)
        var (found, first) = ([[Instant]](), 0)
        while first < places.count {
            var end = first + 1
            while end < places.count, liesTogether(places[first...end]) { end += 1 }
            let isLong = times[end - 1] - times[first] >= .minutes(5)
            if isLong { found.append([times[first], times[end - 1]]) }
            first = isLong ? end : first + 1
        }
        return found
    }

    private func liesTogether(_ places: ArraySlice<PlanePoint>) -> Bool {
        let (east, north) = (places.map(\.eastMetres), places.map(\.northMetres))
        let width = (east.max() ?? 0) - (east.min() ?? 0)
        let height = (north.max() ?? 0) - (north.min() ?? 0)
        return width * width + height * height <= 10_000
    }
}

private struct Nowhere: CoursePlaces {
    func places(within metres: Double, of coordinate: Coordinate) -> [Place] { [] }
    func regionName(at coordinate: Coordinate) -> String? { nil }
}
