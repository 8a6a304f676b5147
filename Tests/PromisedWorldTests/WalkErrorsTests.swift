import PromisedDomain
import PromisedSimulation
import Testing

@testable import PromisedWorld

@Suite struct WalkErrorsTests {
    /// From 200 m into the middle on foot, and ten minutes there.
    private static let walk = Walk(to: 0, from: 200, to: 0, at: 1.4, stay: 600, now: Story.beginning)
    /// Seconds until its end, when a phone is under the roof.
    private static let arrived = 200 / 1.4

    /// The seconds of each report and its position, for each of some seeds.
    private func positions(
        _ system: MeasuredPhone.System?,
        seeds: ClosedRange<UInt64> = 1...60
    ) -> [(seconds: Double, position: WalkErrors.Position?)] {
        seeds.flatMap { seed in
            var errors = WalkErrors(system, omitting: (0.1, 0.3), seed: seed)
            errors.beginWalk()
            return stride(from: 0.0, through: 740, by: 5).map { seconds in
                (seconds, errors.position(on: Self.walk, at: Story.beginning + .seconds(seconds)))
            }
        }
    }

    @Test func `a phone with small errors stays within some metres of its way`() {
        for (seconds, position) in positions(nil) {
            let metres = Self.walk.metres(at: Story.beginning + .seconds(seconds))
            #expect(position.map { abs($0.metres - metres) < 12 && $0.eastMetres == 0 } == true)
        }
    }

    @Test(arguments: MeasuredPhone.System.allCases)
    func `a phone with measured errors strays to all sides and misses reports`(system: MeasuredPhone.System) {
        let all = positions(system).filter { $0.seconds < Self.arrived }
        let found = all.compactMap(\.position)
        #expect((0.01...0.1).contains(Double(all.count - found.count) / Double(all.count)))
        let spread = (found.reduce(0) { $0 + $1.eastMetres * $1.eastMetres } / Double(found.count)).squareRoot()
        #expect((4...40).contains(spread), "\(spread)")
        #expect(found.contains { $0.eastMetres > 5 } && found.contains { $0.eastMetres < -5 })
        let claims = Set(found.map { $0.accuracyMetres ?? 0 })
        #expect(system == .iPhone ? claims == [5, 10, 30, 65] : claims.count > 50 && !claims.contains(0))
    }

    @Test func `at the end of its walk it is under a roof`() {
        let (iPhones, others) = (positions(.iPhone), positions(.android))
        let inside = [iPhones, others].map { $0.filter { $0.seconds > Self.arrived }.compactMap(\.position) }
        #expect(inside[0].count > 1_000 && inside[0].allSatisfy { $0.accuracyMetres == 65 && $0.speedMps == nil })
        #expect(inside[1].allSatisfy { (12...20).contains($0.accuracyMetres ?? 0) && $0.speedMps == 0 })
    }

    @Test func `equal seeds give equal errors, different for each walk`() {
        var errors = WalkErrors(.android, omitting: (0, 0), seed: 7)
        var other = WalkErrors(.android, omitting: (0, 0), seed: 7)
        var walks: [[Double]] = []
        for _ in 0..<2 {
            errors.beginWalk()
            other.beginWalk()
            var metres: [Double] = []
            for seconds in stride(from: 0.0, to: 100, by: 5) {
                let now = Story.beginning + .seconds(seconds)
                let position = errors.position(on: Self.walk, at: now)
                #expect(other.position(on: Self.walk, at: now)?.eastMetres == position?.eastMetres)
                metres.append(position?.eastMetres ?? 0)
            }
            walks.append(metres)
        }
        #expect(walks[0] != walks[1])
    }
}
