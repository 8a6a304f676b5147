import PromisedDomain
import PromisedSimulation
import Testing

@Suite struct CleanTrackTests {
    private static let now = RandomTrack.start + .days(400)
    private static let origin = Coordinate(latitude: 37.5, longitude: 127)

    /// A point some metres north of the origin, at some seconds after the start; nil: without a time.
    private func point(_ metres: Double, _ seconds: Double?, accuracy: Double? = nil, segment: Int = 0) -> TrackPoint {
        let degrees = metres / Coordinate.earthRadiusMetres * 180 / .pi
        return TrackPoint(
            Coordinate(latitude: Self.origin.latitude + degrees, longitude: Self.origin.longitude),
            time: seconds.map { RandomTrack.start + .seconds($0) },
            accuracyMetres: accuracy,
            segment: segment
        )
    }

    private func line(_ seconds: [Double?]) -> [TrackPoint] {
        seconds.enumerated().map { point(Double($0.offset) * 10, $0.element) }
    }

    private func clean(_ points: [TrackPoint]) -> CleanTrack { CleanTrack(Track(points), at: Self.now) }

    @Test(
        arguments: [
            (631_151_999_999, false), (631_152_000_000, true), (1_790_000_000_000, true),
            // A day ahead, and a millisecond more.
            ((Self.now + .days(1)).milliseconds, true), ((Self.now + .days(1)).milliseconds + 1, false),
        ] as [(Int64, Bool)]
    )
    func `times before 1990 or more than a day ahead are none`(milliseconds: Int64, isTime: Bool) {
        var only = point(0, 0)
        only.time = Instant(milliseconds: milliseconds)
        #expect(clean([only]).track.points.map { $0.time != nil } == [isTime])
    }

    @Test func `a segment has times if nine in ten of its steps rise`() {
        // Ten steps, of which one or two fall.
        let good = line([0, 10, 20, 30, 40, 35, 50, 60, 70, 80, 90])
        #expect(clean(good).track.points.allSatisfy { $0.time != nil })
        let bad = line([0, 10, 20, 30, 40, 35, 50, 60, 55, 80, 90])
        #expect(clean(bad).track.points.allSatisfy { $0.time == nil })
        #expect(clean(bad).dropped == 0)
        // Each segment for itself.
        let both =
            good
            + bad.map { point in
                var point = point
                point.segment = 1
                return point
            }
        #expect(clean(both).track.points.count { $0.time != nil } == 11)
    }

    @Test func `points that differ by bad times alone are repeats`() {
        let standing = [point(0, 30), point(0, 20), point(0, 10), point(50, 0)]
        let cleaned = clean(standing)
        #expect(cleaned.track.points == [point(0, nil), point(50, nil)] && cleaned.dropped == 2)
    }

    @Test func `points that are out of order are put in order of time, the first of equal ones stays`() {
        let points = line([0, 10, 20, 30, 40, 35, 50, 60, 70, 80, 90])
        let times = clean(points).track.points.compactMap(\.time)
        #expect(times == times.sorted())
        let equal = line([0, 10, 20, 30, 30, 50, 60, 70, 80, 90, 100])
        let cleaned = clean(equal)
        #expect(cleaned.dropped == 1)
        #expect(cleaned.track.points.map(\.coordinate) == (equal[...3] + equal[5...]).map(\.coordinate))
    }

    @Test func `points without a time among others keep their places`() {
        let points = line([0, nil, 20, 30, nil, 50])
        #expect(clean(points).track.points.map(\.coordinate) == points.map(\.coordinate))
    }

    @Test func `points with an accuracy above 100 m are dropped`() {
        let points = [point(0, 0, accuracy: 100), point(10, 5, accuracy: 100.1), point(20, 10)]
        #expect(clean(points).track.points.count == 2)
        #expect(clean(points).dropped == 1)
    }

    @Test func `an impossible jump is dropped, also at the end, and two points that agree are believed`() {
        let jump = [point(0, 0), point(10, 5), point(5_000, 10), point(20, 15), point(30, 20), point(9_000, 25)]
        #expect(clean(jump).track.points.map(\.coordinate) == [0, 1, 3, 4].map { jump[$0].coordinate })
        #expect(clean(jump).dropped == 2)
        let flight = [point(0, 0), point(5_000, 5), point(5_010, 10)]
        #expect(clean(flight).dropped == 0)
        // Each segment for itself: nobody knows the way between them.
        let apart = [point(0, 0), point(5_000, 5, segment: 1)]
        #expect(clean(apart).dropped == 0)
    }

    @Test(arguments: 0..<200)
    func `cleaning again changes nothing, and every point is kept or counted`(seed: UInt64) {
        let points = RandomTrack(seed: seed).disturbed(seed: seed)
        let once = clean(points)
        #expect(once.track.points.count + once.dropped == points.count, "seed \(seed)")
        let twice = CleanTrack(once.track, at: Self.now)
        #expect(twice.track == once.track && twice.dropped == 0, "seed \(seed)")
    }
}

extension RandomTrack {
    /// The points with impossible times and positions among them, some swapped and some repeated.
    fileprivate func disturbed(seed: UInt64) -> [TrackPoint] {
        var generator = SeededGenerator(seed: seed ^ 0xD157)
        var disturbed: [TrackPoint] = []
        for var point in points {
            if generator.chance(0.02) { point.time = Instant(milliseconds: 0) }
            if generator.chance(0.02) { point.time = point.time.map { $0 - .seconds(60) } }
            if generator.chance(0.02) { point.coordinate.latitude += 0.2 }
            if generator.chance(0.02) { point.accuracyMetres = 150 }
            disturbed.append(point)
            if generator.chance(0.05) { disturbed.append(point) }
        }
        return disturbed
    }
}
