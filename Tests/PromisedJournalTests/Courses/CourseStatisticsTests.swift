import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct CourseStatisticsTests {
    /// A point some metres north of the equator's origin after some seconds.
    private func point(
        _ metres: Double,
        _ seconds: Double? = nil,
        accuracy: Double? = nil,
        altitude: Double? = nil,
        segment: Int = 0
    ) -> TrackPoint {
        TrackPoint(
            Coordinate(latitude: metres / Coordinate.earthRadiusMetres * 180 / .pi, longitude: 10),
            altitudeMetres: altitude,
            time: seconds.map { RandomTrack.start + .seconds($0) },
            accuracyMetres: accuracy,
            segment: segment
        )
    }

    @Test(
        .proves("17.2"),
        arguments: [
            // Without an accuracy, 5 m is assumed.
            ([(0, nil), (4.9, nil), (5.1, nil), (20, nil)], 3),
            // Twice the accuracy, at least 5 m and at most 40 m.
            ([(0, 10), (19.9, 10), (20.1, 10), (60, 10)], 3), ([(0, 1), (4.9, 1), (5.1, 1), (60, 1)], 3),
            ([(0, 90), (39.9, 90), (40.1, 90), (90, 90)], 3),
            // The last point counts in any case.
            ([(0, nil), (2, nil)], 2), ([(0, nil)], 1),
        ] as [([(Double, Double?)], Int)]
    )
    func `counts points from twice their accuracy on`(points: [(Double, Double?)], counted: Int) {
        let statistics = CourseStatistics(points.map { point($0.0, accuracy: $0.1) })
        #expect(statistics.counted == counted)
        #expect(abs(statistics.distanceMetres - (points.last?.0 ?? 0)) < 0.01)
    }

    @Test func `standing adds neither distance nor moving time`() {
        let points = [point(0, 0), point(3, 60), point(1, 120), point(4, 180), point(100, 200), point(200, 220)]
        let statistics = CourseStatistics(points)
        #expect(abs(statistics.distanceMetres - 200) < 0.01)
        #expect(statistics.duration == .seconds(220))
        // 100 m in 200 s are 0.5 m/s.
        #expect(statistics.moving == .seconds(220))
        let slower = CourseStatistics([point(0, 0), point(100, 201), point(200, 220)])
        #expect(slower.moving == .seconds(19))
    }

    @Test func `the top speed is that of a pair at least ten seconds apart`() {
        // Ignores 30 m/s for 5 s alone.
        let points = [point(0, 0), point(10, 5), point(160, 10), point(170, 15), point(180, 20)]
        #expect(abs((CourseStatistics(points).topSpeedMps ?? 0) - 16) < 0.01)
        let dense = [0.0, 40, 50, 60, 70, 80, 90, 100].enumerated().map { point($0.element, Double($0.offset) * 2) }
        #expect(abs((CourseStatistics(dense).topSpeedMps ?? 0) - 8) < 0.01)
        #expect(CourseStatistics([point(0, 0), point(100, 9.9)]).topSpeedMps == nil)
        #expect(CourseStatistics([point(0), point(100)]).topSpeedMps == nil)
        let apart = [point(0, 0), point(20, 5), point(300, 15, segment: 1), point(310, 20, segment: 1)]
        #expect(CourseStatistics(apart).topSpeedMps == nil)
    }

    @Test(.proves("17.2")) func `the top speed is not below the mean speed`() {
        // Fast for the last nine seconds; around a bend.
        let start = [point(0, 0), point(38, 22)]
        let statistics = CourseStatistics(start + (1...10).map { point(38 + 38 * Double($0), 22 + 0.9 * Double($0)) })
        #expect(abs((statistics.topSpeedMps ?? 0) - 418.0 / 31) < 0.01)
        let bend = (0...40).map { number in
            var one = point(number < 20 ? Double(number) * 10 : Double(40 - number) * 10, Double(number))
            one.coordinate.longitude += number < 20 ? 0 : 0.0001
            return one
        }
        let around = CourseStatistics(bend)
        #expect((around.topSpeedMps ?? 0) >= around.distanceMetres / around.moving.seconds)
    }

    @Test(.proves("17.2")) func `points without a time between others move with them`() {
        // Every fifth has a time; only these count for the distance in the second half.
        let points = (0...60).map { point(Double($0) * 7, $0 % 5 == 0 ? Double($0) * 5 : nil) }
        #expect(CourseStatistics(points).moving == .seconds(300))
        #expect(abs((CourseStatistics(points).topSpeedMps ?? 0) - 1.4) < 0.01)
        let rest = [point(0, 0), point(50), point(100, 50), point(102), point(104, 350), point(154), point(204, 400)]
        #expect(CourseStatistics(rest).moving == .seconds(75))
        // Outside, the times are unknown.
        #expect(CourseStatistics([point(0), point(50, 10), point(100, 60), point(150)]).moving == .seconds(50))
    }

    @Test func `computes only the distance without times, and no climb without altitudes`() {
        let statistics = CourseStatistics([point(0), point(1_000)])
        #expect(statistics.duration == .zero && statistics.moving == .zero)
        #expect(abs(statistics.distanceMetres - 1_000) < 0.01)
        #expect(statistics.ascentMetres == nil && statistics.minAltitudeMetres == nil)
        #expect(CourseStatistics([]) == CourseStatistics())
    }

    @Test(
        .proves("17.2"),
        arguments: [
            ([0, 4.9], 0, 0), ([0, 5], 5, 0), ([5, 0], 0, 5), ([0, 4, 0, 4, 0], 0, 0),
            ([0, 10, 5.1, 20], 20, 0), ([0, 10, 5, 20], 25, 5), ([3, 0, 10, 7, 12, 2], 12, 10), ([7], 0, 0),
        ] as [([Double], Double, Double)]
    )
    func `counts turns from five metres on`(altitudes: [Double], ascent: Double, descent: Double) {
        // Farther apart than the mean reaches.
        let points = altitudes.enumerated().map { point(Double($0.offset) * 300, altitude: $0.element) }
        let statistics = CourseStatistics(points)
        #expect(abs((statistics.ascentMetres ?? -1) - ascent) < 1e-9)
        #expect(abs((statistics.descentMetres ?? -1) - descent) < 1e-9)
        #expect(statistics.minAltitudeMetres == altitudes.min() && statistics.maxAltitudeMetres == altitudes.max())
    }

    @Test func `the altitude is the mean over a hundred metres to both sides`() {
        // A single point 30 m too high, with a point every 50 m: five points share the error.
        let points = (0..<21).map { point(Double($0) * 49.9, altitude: $0 == 10 ? 30 : 0) }
        let statistics = CourseStatistics(points)
        #expect(abs((statistics.maxAltitudeMetres ?? 0) - 6) < 1e-9)
        #expect(abs((statistics.ascentMetres ?? 0) - 6) < 1e-9)
        let otherSegment = points.enumerated().map { index, given in
            var given = given
            given.segment = index < 10 ? 0 : index
            return given
        }
        #expect(CourseStatistics(otherSegment).maxAltitudeMetres == 30)
    }

    @Test(.proves("17.2"), arguments: 0..<300)
    func `statistics are non-negative, additive over segments and ignore duplicates`(seed: UInt64) {
        let points = RandomTrack(seed: seed, hasTimes: seed % 3 > 0).points
        let whole = CourseStatistics(points)
        #expect(whole.distanceMetres >= 0 && whole.duration >= .zero && whole.moving >= .zero, "seed \(seed)")
        #expect(whole.moving <= whole.duration, "seed \(seed)")
        #expect([whole.topSpeedMps, whole.ascentMetres, whole.descentMetres].allSatisfy { ($0 ?? 0) >= 0 })

        let parts = Dictionary(grouping: points, by: \.segment).values.map { CourseStatistics($0) }
        #expect(parts.map(\.points).reduce(0, +) == whole.points, "seed \(seed)")
        #expect(parts.map(\.counted).reduce(0, +) == whole.counted, "seed \(seed)")
        #expect(parts.map(\.moving).reduce(.zero, +) == whole.moving, "seed \(seed)")
        #expect(abs(parts.map(\.distanceMetres).reduce(0, +) - whole.distanceMetres) < 1e-6, "seed \(seed)")
        #expect(abs(parts.compactMap(\.ascentMetres).reduce(0, +) - (whole.ascentMetres ?? 0)) < 1e-6, "seed \(seed)")
        #expect(abs(parts.compactMap(\.descentMetres).reduce(0, +) - (whole.descentMetres ?? 0)) < 1e-6)

        var generator = SeededGenerator(seed: seed)
        let doubled = points.flatMap { Array(repeating: $0, count: 1 + (generator.chance(0.6) ? 1 : 0)) }
        var repeated = CourseStatistics(doubled)
        repeated.dropped -= doubled.count - points.count
        #expect(repeated == whole, "seed \(seed)")
    }
}
