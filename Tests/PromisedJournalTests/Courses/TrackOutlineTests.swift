import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import Testing

@Suite struct TrackOutlineTests {
    /// The rule, literally, in O(n²): repeatedly remove the inner point with the smallest triangle.
    private func plainOutline(_ points: [PlainPoint], to limit: Int) -> [Int] {
        var left = Array(points.indices)
        while left.count > limit {
            var (smallest, area) = (1, Double.infinity)
            for place in 1..<(left.count - 1) {
                let found = PlainPoint.area(points[left[place - 1]], points[left[place]], points[left[place + 1]])
                if found < area { (smallest, area) = (place, found) }
            }
            left.remove(at: smallest)
        }
        return left
    }

    @Test(arguments: 0..<30)
    func `an outline has the points of the rule`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let points = (0..<60).map { _ in PlainPoint(x: generator.uniform(0...1), y: generator.uniform(0...1)) }
        // On the equator a degree is a degree.
        let track = Track(points.map { TrackPoint(Coordinate(latitude: $0.y / 1_000, longitude: $0.x / 1_000)) })
        for limit in [2, 3, 7, 20, 59, 60, 100] {
            let expected = plainOutline(points, to: limit).map { track.points[$0] }
            #expect(track.outlined(to: limit).points == expected, "seed \(seed), \(limit) points")
        }
    }

    @Test(.proves("17.3"), arguments: 0..<200)
    func `an outline has the requested number of points, both ends and only points of the way`(seed: UInt64) {
        let track = Track(RandomTrack(seed: seed).points)
        for limit in [2, 3, 10, 50, 200, 5_000] {
            let outline = track.outlined(to: limit)
            #expect(outline.points.count <= limit, "seed \(seed)")
            let ends = track.segments.reduce(0) { $0 + min(2, $1.count) }
            guard ends <= limit else {
                #expect(outline.segments.count < track.segments.count, "seed \(seed)")
                continue
            }
            #expect(outline.points.count == min(limit, track.points.count), "seed \(seed)")
            #expect(outline.segments.count == track.segments.count, "seed \(seed)")
            for (kept, whole) in zip(outline.segments, track.segments) {
                #expect(outline.points[kept].first == track.points[whole].first, "seed \(seed)")
                #expect(outline.points[kept].last == track.points[whole].last, "seed \(seed)")
            }
            #expect(Set(outline.points).isSubset(of: track.points), "seed \(seed)")
        }
    }

    @Test(.proves("17.3")) func `smaller outlines are subsets of larger ones`() {
        let track = Track(RandomTrack(seed: 7, count: 400).points)
        let sizes = [400, 200, 100, 50].map { Set(track.outlined(to: $0).points) }
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1.isSubset(of: $0) })
    }

    @Test func `omits the shortest segments completely if there are too many`() {
        // Segments of 10, 20, … 50 m, then single points.
        let points = (1...5).flatMap { number in
            [0.0, Double(number) * 0.0001].map { north in
                TrackPoint(Coordinate(latitude: Double(number) + north, longitude: 0), segment: number)
            }
        }
        let dots = (6...8).map { TrackPoint(Coordinate(latitude: Double($0), longitude: 0), segment: $0) }
        let track = Track(points + dots)
        let degrees = { (limit: Int) in track.outlined(to: limit).segments.map { track.outlined(to: limit).points[$0] }
        }
        #expect(track.outlined(to: 13) == track)
        // Removes the last of equally short ones first.
        #expect(degrees(11).map { Int($0.first?.coordinate.latitude ?? 0) } == [1, 2, 3, 4, 5, 6])
        #expect(degrees(10).map { Int($0.first?.coordinate.latitude ?? 0) } == [1, 2, 3, 4, 5])
        #expect(degrees(5).map { Int($0.first?.coordinate.latitude ?? 0) } == [4, 5])
        #expect(track.outlined(to: 2).points.map(\.coordinate.latitude) == [5, 5.0005])
        #expect(track.outlined(to: 2).points.map(\.segment) == [0, 0])
    }

    @Test func `the meridian of 180° does not change an outline`() throws {
        // The same wandering way around two meridians.
        var generator = SeededGenerator(seed: 180)
        let steps = (0..<200).map { _ in (generator.uniform(-0.01...0.01), generator.uniform(-0.01...0.01)) }
        let tracks = [10.0, 180].map { meridian in
            Track(
                steps.enumerated().map { index, step in
                    let longitude = meridian + step.1
                    return TrackPoint(
                        Coordinate(latitude: step.0, longitude: longitude > 180 ? longitude - 360 : longitude),
                        time: Instant(milliseconds: Int64(index))
                    )
                }
            )
        }
        let outlines = tracks.map { $0.outlined(to: 40).points.compactMap(\.time) }
        #expect(outlines[0] == outlines[1] && outlines[0].count == 40)
    }
}

private struct PlainPoint: Hashable {
    var x: Double
    var y: Double

    static func area(_ one: PlainPoint, _ two: PlainPoint, _ three: PlainPoint) -> Double {
        abs((two.x - one.x) * (three.y - one.y) - (three.x - one.x) * (two.y - one.y))
    }
}
