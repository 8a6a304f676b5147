import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// The speed of an approach (domain §7).
@Suite struct ApproachTrackTests {
    /// The textbook slope, over all samples at once and without rounding.
    static func slope(_ samples: [(second: Double, metres: Double)]) -> Double? {
        guard let last = samples.last else { return nil }
        let near = samples.filter { last.second - $0.second <= 120 }
        guard near.count >= 2 else { return nil }
        let weights = near.map { exponential(($0.second - last.second) / 60) }
        let total = weights.reduce(0, +)
        func mean(_ value: (Int) -> Double) -> Double {
            near.indices.reduce(0) { $0 + weights[$1] * value($1) } / total
        }
        let (time, distance) = (mean { near[$0].second }, mean { near[$0].metres })
        let covariance = mean { (near[$0].second - time) * (near[$0].metres - distance) }
        return -covariance / mean { (near[$0].second - time) * (near[$0].second - time) }
    }

    @Test(.proves("7.1"), arguments: 0..<50) func `the slope is the weighted regression over the last two minutes`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var track = ApproachTrack()
        var samples: [(second: Double, metres: Double)] = []
        var second = 0.0
        for _ in 0..<120 {
            second += Double(Int.random(in: 3_000...9_000, using: &generator)) / 1_000
            samples.append((second, .random(in: 0...20_000, using: &generator)))
            track.append(distanceMetres: samples.last?.metres ?? 0, at: .meeting + .seconds(second))
            guard let expected = Self.slope(samples) else { continue }
            let found = try #require(track.progressMps)
            #expect(abs(found - expected) < 0.001 * max(1, abs(expected)), "seed \(seed)")
        }
    }

    @Test func `detects a walk far from the place`() throws {
        var track = ApproachTrack()
        for step in 0..<24 {
            track.append(distanceMetres: 1_000_000 - Double(step) * 5, at: .meeting + .seconds(Double(step) * 5))
        }
        #expect(abs(try #require(track.progressMps) - 1) < 0.01)
    }

    @Test func `ignores a single sample and samples that are not newer`() {
        var track = ApproachTrack()
        track.append(distanceMetres: 500, at: .meeting)
        #expect(track.progressMps == nil)
        track.append(distanceMetres: 400, at: .meeting + .seconds(5))
        #expect(track.progressMps.map { abs($0 - 20) < 0.001 } == true)
        track.append(distanceMetres: 300, at: .meeting + .seconds(5))
        #expect(track.progressMps == nil)
    }

    @Test func `starts over after a month`() {
        var track = ApproachTrack()
        track.append(distanceMetres: 500, at: .meeting)
        track.append(distanceMetres: 400, at: .meeting + .seconds(5))
        track.append(distanceMetres: 300, at: .meeting + .seconds(30 * 86_400))
        #expect(track.progressMps == nil)
        track.append(distanceMetres: 290, at: .meeting + .seconds(30 * 86_400 + 5))
        #expect(track.progressMps.map { abs($0 - 2) < 0.001 } == true)
    }
}
