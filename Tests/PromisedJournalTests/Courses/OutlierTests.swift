import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import Testing

/// Positions off the way, at its ends and elsewhere: the way has 61 points on 420 m in 300 s.
@Suite struct OutlierTests {
    private static let plane = LocalPlane(origin: Coordinate(latitude: 37.55, longitude: 126.99))
    private static let far = Coordinate(latitude: 37.568, longitude: 127.01)
    private static let zero = Coordinate(latitude: 0, longitude: 0)

    private static func point(_ coordinate: Coordinate, _ seconds: Double?, segment: Int = 0) -> TrackPoint {
        TrackPoint(coordinate, time: seconds.map { RandomTrack.start + .seconds($0) }, segment: segment)
    }

    private static func way(hasTimes: Bool = true, segment: Int = 0) -> [TrackPoint] {
        (0...60).map { number in
            let place = plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: Double(number) * 7))
            return point(place, hasTimes ? Double(number) * 5 : nil, segment: segment)
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: [TrackPoint] = []
        var after: [TrackPoint] = []
        var hasTimes = true

        init(
            _ description: String,
            before: [TrackPoint] = [],
            after: [TrackPoint] = [],
            hasTimes: Bool = true
        ) {
            testDescription = description
            (self.before, self.after, self.hasTimes) = (before, after, hasTimes)
        }
    }

    private static let cases = [
        Case("a cached first fix", before: [point(far, -5)]),
        Case(
            "a cached fix that is repeated for a minute",
            before: (1...12).reversed().map { point(far, Double($0) * -5) }
        ),
        Case("0, 0 twice", before: [point(zero, -10), point(zero, -5)]),
        Case("0, 0 thirty times", before: (1...30).map { point(zero, Double($0) - 31) }),
        Case("0, 0, then a cached fix", before: [point(zero, -10), point(far, -5)]),
        Case("a wrong last fix", after: [point(far, 305)]),
        Case("two wrong last fixes that move", after: [point(far, 305), point(far.north(9), 310)]),
        Case("wrong fixes at both ends", before: [point(far, -5)], after: [point(zero, 305)]),
        Case("a first point without a time", before: [point(far, nil)]),
        Case("a last point without a time", after: [point(far, nil), point(far.north(5), nil)]),
        Case("a cached point on a way without times", before: [point(far, nil)], hasTimes: false),
        Case("0, 0 on a way without times", before: [point(zero, nil), point(zero.north(1), nil)], hasTimes: false),
        Case("0, 0 as a segment of its own", before: [point(zero, -400, segment: 7)]),
    ]

    @Test(.proves("17.1"), arguments: cases)
    func `ignores points off the way and hides its ends from others`(row: Case) {
        let way = Self.way(hasTimes: row.hasTimes)
        let clean = CleanTrack(row.before + way + row.after)
        #expect(clean.track.points.map(\.coordinate) == way.map(\.coordinate))
        #expect(clean.dropped == row.before.count + row.after.count)
        let statistics = CourseStatistics(of: clean)
        #expect(abs(statistics.distanceMetres - 420) < 1)
        #expect(statistics.topSpeedMps.map { $0 < 2 } ?? !row.hasTimes)
        let seen = HiddenEnds(of: clean.track, metres: 90, secret: .sample).visible(clean.track)
        #expect(!seen.isEmpty)
        for end in [way[0], way[60]] {
            #expect(seen.points.allSatisfy { $0.coordinate.distanceMetres(to: end.coordinate) > 90 })
        }
    }

    @Test func `ignores wrong points between others, however many agree`() {
        var points = Self.way()
        points.insert(contentsOf: (0..<4).map { Self.point(Self.far.north(Double($0)), 150.5 + Double($0)) }, at: 31)
        points.insert(Self.point(Self.zero, nil), at: 20)
        let clean = CleanTrack(points)
        #expect(clean.dropped == 5)
        #expect(clean.track.segments.count == 1)
        #expect(abs(CourseStatistics(of: clean).distanceMetres - 420) < 1)
    }

    @Test func `checks the ends of each segment`() {
        let first = Self.way() + [Self.point(Self.far, 305)]
        let second =
            [Self.point(Self.far, 395, segment: 1)]
            + Self.way(segment: 1).map { point in
                var point = point
                point.time = point.time.map { $0 + .seconds(400) }
                return point
            }
        let clean = CleanTrack(first + second)
        #expect(clean.dropped == 2 && clean.track.segments.count == 2)
        #expect(abs(CourseStatistics(of: clean).distanceMetres - 840) < 1)
    }

    @Test(.proves("17.1")) func `keeps a way with a fast start`() {
        // A braking train at 83 m/s; a car already in town; a landing aircraft.
        for (speed, interval) in [(83.0, 5.0), (20, 1), (240, 10)] {
            var (points, north, velocity) = ([TrackPoint](), 0.0, speed)
            for number in 0..<120 {
                points.append(
                    Self.point(
                        Self.plane.coordinate(of: PlanePoint(eastMetres: 0, northMetres: north)),
                        Double(number) * interval
                    )
                )
                north += velocity * interval
                velocity = max(1.5, velocity * 0.9)
            }
            let clean = CleanTrack(points)
            #expect(clean.dropped == 0 && clean.track.segments.count == 1, "\(speed) m/s")
        }
    }

    @Test func `keeps a way at 0, 0`() {
        let plane = LocalPlane(origin: Self.zero)
        let points = (0...60).map { number in
            Self.point(
                plane.coordinate(of: PlanePoint(eastMetres: Double(number) * 7, northMetres: 0)),
                Double(number) * 5
            )
        }
        let clean = CleanTrack(points)
        #expect(clean.dropped == 0 && clean.track.points.first?.coordinate == Self.zero)
    }

    @Test func `keeps two unconnected long parts apart and hides the ends of both`() {
        let there = Self.way().map { point in
            var point = point
            point.coordinate = Coordinate(
                latitude: point.coordinate.latitude + 1,
                longitude: point.coordinate.longitude
            )
            point.time = point.time.map { $0 + .seconds(305) }
            return point
        }
        let clean = CleanTrack(Self.way() + there)
        #expect(clean.dropped == 0 && clean.track.segments.count == 2)
        #expect(abs(CourseStatistics(of: clean).distanceMetres - 840) < 1)
        let seen = HiddenEnds(of: clean.track, metres: 90, secret: .sample).visible(clean.track)
        #expect(!seen.isEmpty)
        for end in [Self.way()[0], Self.way()[60], there[0], there[60]] {
            #expect(seen.points.allSatisfy { $0.coordinate.distanceMetres(to: end.coordinate) > 90 })
        }
    }

    @Test(
        .proves("17.8"),
        arguments: [
            // A cached fix of the previous day with its own time; 40 s before the first, at a car's speed; two of
            // them.
            [point(far, -50_000)], [point(far, -40)], [point(far, -50_005), point(far.north(3), -50_000)],
        ]
    )
    func `hides the entrance also if movement explains the first fix`(first: [TrackPoint]) {
        let clean = CleanTrack(first + Self.way())
        #expect(clean.dropped == 0)
        let seen = HiddenEnds(of: clean.track, metres: 90, secret: .sample).visible(clean.track)
        for end in [first[0], Self.way()[0], Self.way()[60]] {
            #expect(seen.points.allSatisfy { $0.coordinate.distanceMetres(to: end.coordinate) > 90 })
        }
    }

    @Test func `a rest or a tunnel on the way hides no point`() {
        var points = Self.way()
        for index in points.indices.dropFirst(30) { points[index].time = points[index].time.map { $0 + .minutes(45) } }
        for index in points.indices.dropFirst(30) {
            points[index].coordinate = points[index].coordinate.north(900)
        }
        let seen = HiddenEnds(of: CleanTrack(points).track, metres: 20, secret: .sample).visible(Track(points))
        // At each end 20 m to 40 m are hidden.
        #expect((61 - 2 * 6...61 - 2 * 3).contains(seen.points.count))
    }
}

extension Coordinate {
    fileprivate func north(_ metres: Double) -> Coordinate {
        Coordinate(latitude: latitude + metres / Coordinate.earthRadiusMetres * 180 / .pi, longitude: longitude)
    }
}
