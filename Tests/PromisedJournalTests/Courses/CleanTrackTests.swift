import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
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
        .proves("17.1"),
        arguments: [
            (631_151_999_999, false), (631_152_000_000, true), (1_790_000_000_000, true),
            // A day ahead, and a millisecond more.
            ((Self.now + .days(1)).milliseconds, true), ((Self.now + .days(1)).milliseconds + 1, false),
        ] as [(Int64, Bool)]
    )
    func `drops times before 1990 and more than a day ahead`(milliseconds: Int64, isTime: Bool) {
        var only = point(0, 0)
        only.time = Instant(milliseconds: milliseconds)
        #expect(clean([only]).track.points.map { $0.time != nil } == [isTime])
    }

    @Test(.proves("17.1")) func `drops times out of order with most others, and moves no point`() {
        let cases: [([Double?], [Double?])] = [
            ([0, 10, 20, 30, 40, 35, 50, 60], [0, 10, 20, 30, nil, 35, 50, 60]),
            ([0, 10, 20, 15, 12, 50, 60, 70], [0, 10, nil, nil, 12, 50, 60, 70]),
            // A clock that was ahead for the first three, and for three in the middle.
            ([900, 910, 920, 30, 40, 50, 60], [nil, nil, nil, 30, 40, 50, 60]),
            ([0, 10, 20, 930, 940, 950, 60, 70, 80, 90], [0, 10, 20, nil, nil, nil, 60, 70, 80, 90]),
            // Points share a second.
            ([0, 0, 0, 1, 1, 2, 2, 2, 3], [0, nil, nil, 1, nil, 2, nil, nil, 3]),
            ([0, 1, 1, 2], [0, 1, nil, 2]),
            // Reversed: no evidence which are correct.
            ([50, 40, 30, 20, 10, 0], [nil, nil, nil, nil, nil, nil]),
            ([nil, 0, nil, 10, 5, 20, nil], [nil, 0, nil, nil, 5, 20, nil]),
        ]
        for (given, kept) in cases {
            let cleaned = clean(line(given))
            #expect(cleaned.dropped == 0)
            #expect(cleaned.track.points == line(kept), "\(given)")
        }
    }

    @Test func `checks the times of each segment separately`() {
        let back = line([50, 40, 30, 20, 10, 0]).map { point in
            var point = point
            point.segment = 1
            return point
        }
        let cleaned = clean(line([0, 10, 20, 30]) + back)
        #expect(
            cleaned.track.points.map { $0.time != nil } == [true, true, true, true] + [Bool](repeating: false, count: 6)
        )
    }

    @Test func `treats points that differ only in bad times as duplicates`() {
        let standing = [point(0, 30), point(0, 20), point(0, 10), point(50, 0)]
        let cleaned = clean(standing)
        #expect(cleaned.track.points == [point(0, nil), point(50, nil)] && cleaned.dropped == 2)
    }

    @Test func `keeps the order of points without a time`() {
        let points = line([0, nil, 20, 30, nil, 50])
        #expect(clean(points).track.points.map(\.coordinate) == points.map(\.coordinate))
    }

    @Test(.proves("17.1")) func `drops points with an accuracy above 100 m`() {
        let points = [point(0, 0, accuracy: 100), point(10, 5, accuracy: 100.1), point(20, 10)]
        #expect(clean(points).track.points.count == 2)
        #expect(clean(points).dropped == 1)
    }

    @Test(.proves("17.1")) func `drops impossible jumps, also at both ends`() {
        let jump = [point(0, 0), point(10, 5), point(5_000, 10), point(20, 15), point(30, 20), point(9_000, 25)]
        #expect(clean(jump).track.points.map(\.coordinate) == [0, 1, 3, 4].map { jump[$0].coordinate })
        #expect(clean(jump).dropped == 2)
        let first = [point(0, 0), point(5_000, 5), point(5_010, 10)]
        #expect(clean(first).track.points == Array(first.dropFirst()))
        // Each segment separately: the way between them is unknown.
        let apart = [point(0, 0), point(5_000, 5, segment: 1)]
        #expect(clean(apart).dropped == 0)
    }

    @Test(
        .proves("17.1"),
        arguments: [
            // Zeros of a receiver without an altitude at the start, or after losing it.
            ([0, 0, 0, 1_350, 1_351, 1_352, 1_353], [nil, nil, nil, 1_350, 1_351, 1_352, 1_353]),
            ([820, 820, 0, 0, 821, 822], [820, 820, nil, nil, 821, 822]),
            ([-160, -161, -160, 0], [-160, -161, -160, nil]),
            // Numbers for "unknown".
            ([-9_999, 12, 13], [nil, 12, 13]), ([12, 32_767, 13], [12, nil, 13]),
            ([1e9, 12, 13], [nil, 12, 13]), ([-32_768, -32_768], [nil, nil]),
            // A group that no plausible slope connects to the rest.
            ([5_200, 5_201, 300, 301, 302, 303, 304], [nil, nil, 300, 301, 302, 303, 304]),
            ([300, 301, 302, 303, 304, -450], [300, 301, 302, 303, 304, nil]),
            // At sea level, on a tower, and in a country below sea level.
            ([0, 0, 3, 8, 0], [0, 0, 3, 8, 0]), ([10, 40, 80, 110], [10, 40, 80, 110]),
            ([0, 5, 35, 65], [0, 5, 35, 65]), ([-420, -419, -418], [-420, -419, -418]), ([0, 0, 0], [0, 0, 0]),
        ] as [([Double], [Double?])]
    )
    func `drops impossible altitudes`(given: [Double], kept: [Double?]) {
        for seconds in [[0, 10, 20, 30, 40, 50, 60], [Double?](repeating: nil, count: 7)] {
            var points = line(Array(seconds.prefix(given.count)))
            for index in points.indices { points[index].altitudeMetres = given[index] }
            let cleaned = clean(points)
            #expect(cleaned.track.points.map(\.altitudeMetres) == kept && cleaned.dropped == 0)
        }
    }

    @Test(.proves("17.1"), arguments: 0..<200)
    func `cleaning is idempotent, and each point is kept or counted`(seed: UInt64) {
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
