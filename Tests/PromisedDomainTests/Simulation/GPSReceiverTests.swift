import Foundation
import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

/// The noise has the statistics of its documentation. All phones are at rest at the origin.
@Suite struct GPSReceiverTests {
    private static let plane = LocalPlane(origin: Coordinate(latitude: 37.5665, longitude: 126.9780))
    private static let start = Instant(milliseconds: 1_790_000_000_000)

    private func samples(
        _ noise: GPSNoise,
        hours: Double = 10,
        missing: Double = 0,
        outage: Double = 0,
        seed: UInt64 = 11
    ) -> [GPSSample] {
        var generator = SeededGenerator(seed: seed)
        var itinerary = Itinerary(from: .origin)
        itinerary.pause(seconds: hours * 3_600)
        let journey = Journey(itinerary, using: &generator)
        let receiver = GPSReceiver(noise: noise, missingShare: missing, outageShare: outage)
        return receiver.samples(of: journey, on: Self.plane, from: Self.start, using: &generator)
    }

    private func errors(_ samples: [GPSSample]) -> [PlanePoint] { samples.map { Self.plane.point(of: $0.coordinate) } }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    @Test func `makes a fix every five seconds, in order, within the jitter`() {
        let samples = samples(GPSNoise(sigmaMetres: 10))
        #expect((7_199...7_201).contains(samples.count))
        let gaps = zip(samples, samples.dropFirst()).map { ($1.time - $0.time).seconds }
        #expect(gaps.allSatisfy { (0.5...9.5).contains($0) })
        #expect(abs(mean(gaps) - 5) < 0.01)
        #expect(gaps.contains { abs($0 - 5) > 0.3 })
    }

    @Test func `the error has the given spread along each axis and 68 % of the fixes lie within the honest accuracy`() {
        let samples = samples(GPSNoise(sigmaMetres: 10, outlierShare: 0, claim: AccuracyClaim(factor: 1, scatter: 0)))
        let errors = errors(samples)
        #expect(abs(mean(errors.map { $0.eastMetres * $0.eastMetres }).squareRoot() - 10) < 1)
        #expect(abs(mean(errors.map { $0.northMetres * $0.northMetres }).squareRoot() - 10) < 1)
        let within = zip(errors, samples).filter { $0.lengthMetres <= $1.accuracyMetres ?? 0 }
        #expect(abs(Double(within.count) / Double(errors.count) - 0.68) < 0.05)
    }

    @Test func `the error decorrelates at the given rate`() {
        let noise = GPSNoise(sigmaMetres: 10, correlationSeconds: 20, outlierShare: 0)
        let east = errors(samples(noise, hours: 40)).map(\.eastMetres)
        let after20 = mean(zip(east, east.dropFirst(4)).map { $0 * $1 }) / mean(east.map { $0 * $0 })
        #expect(abs(after20 - exp(-1)) < 0.06)
    }

    @Test func `one fix in a hundred is hundreds of metres off at the same accuracy`() {
        let samples = samples(GPSNoise(sigmaMetres: 5), hours: 20)
        let outliers = samples.filter { $0.origin == .outlier }
        #expect(abs(Double(outliers.count) / Double(samples.count) - 0.01) < 0.003)
        #expect(errors(outliers).allSatisfy { (149.9...800.1).contains($0.lengthMetres) })
        #expect(outliers.allSatisfy { ($0.accuracyMetres ?? .infinity) < 15 })
        #expect(errors(samples.filter { $0.origin == .satellites }).allSatisfy { $0.lengthMetres < 40 })
    }

    @Test(arguments: [0.5, 1, 2])
    func `a false accuracy is off by its factor`(factor: Double) {
        let samples = samples(GPSNoise(sigmaMetres: 10, claim: AccuracyClaim(factor: factor)))
        let claimed = mean(samples.compactMap(\.accuracyMetres))
        #expect(abs(claimed / (15.1 * factor) - 1) < 0.05)
    }

    @Test func `a phone may report no accuracy and no speed`() {
        #expect(samples(GPSNoise(sigmaMetres: 10, claim: .missing)).allSatisfy { $0.accuracyMetres == nil })
        var generator = SeededGenerator(seed: 12)
        let journey = Journey(through: [.init(seconds: 0, point: .origin), .init(seconds: 60, point: .origin)])
        let receiver = GPSReceiver(noise: GPSNoise(sigmaMetres: 10), speedErrorMps: nil)
        let silent = receiver.samples(of: journey, on: Self.plane, from: Self.start, using: &generator)
        #expect(!silent.isEmpty && silent.allSatisfy { $0.speedMps == nil })
    }

    @Test func `fixes by cell tower are far off, with a large accuracy and no speed`() {
        let samples = samples(GPSNoise(sigmaMetres: 5, cellTowerShare: 0.3), hours: 20)
        let towers = samples.filter { $0.origin == .cellTower }
        #expect(abs(Double(towers.count) / Double(samples.count) - 0.3) < 0.02)
        #expect(towers.allSatisfy { (500...2_000).contains($0.accuracyMetres ?? 0) && $0.speedMps == nil })
        let squares = errors(towers).map { $0.eastMetres * $0.eastMetres }
        #expect(abs(mean(squares).squareRoot() - 400) < 60)
    }

    @Test func `drops single fixes, and whole minutes in outages`() {
        let whole = samples(GPSNoise(sigmaMetres: 5)).count
        let thinned = samples(GPSNoise(sigmaMetres: 5), missing: 0.2).count
        #expect(abs(Double(thinned) / Double(whole) - 0.8) < 0.03)
        let torn = samples(GPSNoise(sigmaMetres: 5), outage: 0.005)
        let gaps = zip(torn, torn.dropFirst()).map { ($1.time - $0.time).seconds }
        #expect(gaps.filter { $0 > 20 }.count >= 5)
    }

    @Test func `the reported speed is the true one within its error`() {
        var generator = SeededGenerator(seed: 13)
        let journey = Journey(through: [
            .init(seconds: 0, point: .origin),
            .init(seconds: 10_000, point: PlanePoint(eastMetres: 50_000, northMetres: 0)),
        ])
        let samples = GPSReceiver(noise: GPSNoise(sigmaMetres: 5))
            .samples(of: journey, on: Self.plane, from: Self.start, using: &generator)
        let speeds = samples.compactMap(\.speedMps)
        #expect(abs(mean(speeds) - 5) < 0.1)
        #expect(abs(mean(speeds.map { ($0 - 5) * ($0 - 5) }).squareRoot() - 0.4) < 0.05)
    }

    @Test func `samples become fixes with rising numbers, received after their delay`() {
        let fixes = Array(samples(GPSNoise(sigmaMetres: 5)).prefix(3)).settled(delay: .seconds(2))
        #expect(fixes.map(\.seq) == [1, 2, 3])
        #expect(fixes.allSatisfy { $0.receivedAt - $0.time == .seconds(2) })
    }

    @Test func `the generator gives the published series for each seed`() {
        var zero = SeededGenerator(seed: 0)
        #expect(
            [zero.next(), zero.next(), zero.next()] == [
                0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0,
            ]
        )
        var fractions = SeededGenerator(seed: 42)
        let drawn = (0..<10_000).map { _ in fractions.fraction() }
        #expect(drawn.allSatisfy { (0..<1).contains($0) })
        #expect(abs(mean(drawn) - 0.5) < 0.01)
        var fork = fractions.fork()
        #expect(fork.next() != fractions.next())
    }
}
