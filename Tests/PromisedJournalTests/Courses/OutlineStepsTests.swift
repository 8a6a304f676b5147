import PromisedDomain
import PromisedJournal
import PromisedSimulation
import Testing

@Suite struct OutlineStepsTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the steps produce every outline of a way`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let track = Self.way(of: Int.random(in: 0...300, using: &generator), using: &generator)
        let steps = OutlineSteps(of: track)
        for limit in Array(2...30) + [41, 57, 60, 61, 99, 120, 121, 122, 150, 200, 299, 300, 310] {
            #expect(steps.outline(to: limit) == track.outlined(to: limit), "seed \(seed), \(limit) points")
        }
    }

    /// Of a long way, and of one with more segments than an outline has room for.
    @Test(arguments: [0, 1_500, 6_000])
    func `the steps are limited to those of the largest outlines`(segments: Int) {
        var generator = SeededGenerator(seed: UInt64(segments))
        let track = Self.way(of: 12_000, in: segments, using: &generator)
        let steps = OutlineSteps(of: track)
        for limit in [2, 3, 500, 2_999, 3_000, 3_001, 4_999, 5_000] {
            #expect(steps.outline(to: limit) == track.outlined(to: limit), "\(limit) points")
        }
        #expect(steps.steps.count <= 7_500)
    }

    @Test func `renumbers the segments of an outline`() {
        let points = (0..<6).map { number in
            TrackPoint(Coordinate(latitude: Double(number * number), longitude: 0), segment: number / 2)
        }
        let choice = OutlineChoice(OutlineSteps(of: Track(points)).segments, ends: 6, limit: 4)
        // The first one is the shortest.
        #expect((0..<3).map(choice.number) == [nil, 0, 1])
    }

    /// A wandering way; no two triangles of it are equal.
    private static func way(
        of count: Int,
        in segments: Int? = nil,
        using generator: inout SeededGenerator
    ) -> Track {
        let most = segments ?? Int.random(in: 0...60, using: &generator)
        var (points, segment) = ([TrackPoint](), 0)
        var coordinate = Coordinate(latitude: generator.uniform(-60...60), longitude: generator.uniform(-180...180))
        for _ in 0..<count {
            coordinate.latitude += generator.uniform(-0.001...0.001)
            coordinate.longitude += generator.uniform(-0.001...0.001)
            if coordinate.longitude > 180 { coordinate.longitude -= 360 }
            if coordinate.longitude < -180 { coordinate.longitude += 360 }
            if Int.random(in: 0..<count, using: &generator) < most { segment += 1 }
            points.append(TrackPoint(coordinate, segment: segment))
        }
        return Track(points)
    }
}
