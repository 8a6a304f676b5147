import Foundation
import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

/// The measured noise has the statistics of the recordings that it was fitted to, and of the study behind them.
@Suite struct MeasuredPhoneTests {
    private static let plane = LocalPlane(origin: Coordinate(latitude: 37.5665, longitude: 126.9780))
    private static let start = Instant(milliseconds: 1_790_000_000_000)

    /// The errors of phones at rest at the origin for some minutes, one series for each of `count` ways.
    private static func series(
        _ surroundings: Surroundings,
        _ systems: [MeasuredPhone.System] = MeasuredPhone.System.allCases,
        count: Int = 150,
        seconds: Double = 900,
        seed: UInt64 = 31,
        isShared: Bool = false,
        satellitesAlone: Bool = false
    ) -> [ErrorSeries] {
        var generator = SeededGenerator(seed: seed)
        let journey = Journey(through: [
            .init(seconds: 0, point: .origin), .init(seconds: seconds, point: .origin),
        ])
        return (0..<count).flatMap { way in
            let scenery = Scenery(surroundings)
            let shared = isShared ? SharedError(amid: scenery, seconds: seconds, using: &generator) : nil
            return systems.enumerated().map { number, system in
                let samples = MeasuredPhone(system)
                    .samples(of: journey, amid: scenery, on: plane, from: start, sharing: shared, using: &generator)
                    .filter { !satellitesAlone || $0.origin == .satellites }
                return ErrorSeries(
                    way: "\(way)",
                    phone: "\(system.rawValue.prefix(1))\(number)",
                    fixes: samples.map { sample in
                        ErrorSeries.Fix(
                            seconds: (sample.time - start).seconds,
                            error: plane.point(of: sample.coordinate),
                            claimMetres: sample.accuracyMetres ?? .nan
                        )
                    }
                )
            }
        }
    }

    // MARK: - The error in time

    private struct Memory: CustomTestStringConvertible {
        let surroundings: Surroundings
        let kind: String
        /// The correlations of the study after 5, 10, 15, 30, 60 and 120 s.
        let correlations: [Double]
        var testDescription: String { surroundings.rawValue }
    }

    private static let lags = [5.0, 10, 15, 30, 60, 120]
    private static let memories = [
        Memory(surroundings: .wheels, kind: "wheels", correlations: [0.76, 0.60, 0.49, 0.32, 0.16, 0.08]),
        Memory(surroundings: .foot, kind: "walk", correlations: [0.88, 0.76, 0.66, 0.46, 0.26, 0.18]),
    ]

    @Test(arguments: memories)
    private func `the error decorrelates as fast as in the study`(memory: Memory) throws {
        let drawn = Self.series(memory.surroundings)
        for (lag, expected) in zip(Self.lags, memory.correlations) {
            let correlation = try #require(drawn.autocorrelation(lag: lag))
            print("\(memory.testDescription), \(lag) s: drawn \(correlation), studied \(expected)")
            #expect(abs(correlation - expected) <= 0.1, "\(lag) s")
        }
    }

    @Test(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"), arguments: memories)
    private func `the error decorrelates as fast as with the recorded phones`(memory: Memory) throws {
        let drawn = Self.series(memory.surroundings)
        // On foot the Android phones made a fix in 15 to 30 s, too few to follow their error.
        let recorded = try RecordedErrors.ways([memory.kind]).filter { memory.surroundings == .wheels || !$0.isAndroid }
        for lag in Self.lags {
            let correlation = try #require(drawn.autocorrelation(lag: lag))
            let measured = try #require(recorded.autocorrelation(lag: lag, least: 300))
            print("\(memory.testDescription), \(lag) s: drawn \(correlation), recorded \(measured)")
            #expect(abs(correlation - measured) <= 0.1, "\(lag) s")
        }
    }

    // MARK: - Claims

    @Test func `the accuracies are wrong by as much as in the study, and scatter on the way`() {
        for surroundings in [Surroundings.foot, .wheels, .car] {
            for system in MeasuredPhone.System.allCases {
                let drawn = Self.series(surroundings, [system])
                let scatter = drawn.map(\.claimScatter).mean
                print("\(surroundings), \(system): log-sd \(drawn.claimSpread), within a way \(scatter)")
                #expect((0.3...0.65).contains(drawn.claimSpread), "\(surroundings), \(system)")
                #expect((0.25...0.9).contains(scatter), "\(surroundings), \(system)")
            }
        }
    }

    @Test(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
    func `the accuracies are as wrong as those of the recorded phones`() throws {
        let recorded = try RecordedErrors.ways(["walk", "wheels", "car/bus"], asked: ["best"])
        let drawn = [Surroundings.foot, .wheels, .car].flatMap { Self.series($0) }
        for isAndroid in [true, false] {
            let measured = recorded.filter { $0.isAndroid == isAndroid }
            let made = drawn.filter { $0.isAndroid == isAndroid }
            print("Android \(isAndroid): log-sd drawn \(made.claimSpread), recorded \(measured.claimSpread)")
            #expect(abs(made.claimSpread - measured.claimSpread) <= 0.2)
            let scatter = made.map(\.claimScatter).mean
            let recordedScatter = measured.filter { $0.fixes.count >= 10 }.map(\.claimScatter).mean
            print("Android \(isAndroid): within a way drawn \(scatter), recorded \(recordedScatter)")
            #expect(abs(scatter - recordedScatter) <= 0.3)
        }
    }

    @Test func `an iPhone reports accuracies in steps, Android any`() {
        let claims = Self.series(.foot, [.iPhone]).flatMap { $0.fixes.map(\.claimMetres) }
        #expect(Set(claims) == [5, 10, 30, 65])
        #expect(claims.sorted().quantile(0.5) == 10)
        let others = Self.series(.foot, [.android]).flatMap { $0.fixes.map(\.claimMetres) }
        #expect(Set(others).count > 1_000)
        #expect(others.allSatisfy { $0 >= 3 })
    }

    // MARK: - Outliers

    @Test func `outliers occur in runs`() throws {
        let drawn = Self.series(.foot, count: 600)
        let runs = drawn.flatMap(\.outlierRuns).sorted()
        let share = Double(runs.reduce(0, +)) / Double(drawn.reduce(0) { $0 + $1.fixes.count })
        print("outliers: \(share), runs \(runs.count), median \(try #require(runs.map(Double.init).quantile(0.5)))")
        // The study: 0.2 to 0.3 % on foot, a median of three fixes, and runs of 45 s and more among ten.
        #expect((0.001...0.004).contains(share))
        #expect((2.0...5).contains(try #require(runs.map(Double.init).quantile(0.5))))
        #expect(try #require(runs.map(Double.init).quantile(0.9)) >= 8)
    }

    @Test(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
    func `runs of outliers are as long as those of the recorded phones`() throws {
        let recorded = try RecordedErrors.ways(["walk", "wheels", "car/bus"], asked: ["best"])
        let measured = recorded.flatMap(\.outlierRuns).map(Double.init).sorted()
        let made = Self.series(.foot, count: 600).flatMap(\.outlierRuns).map(Double.init).sorted()
        print("runs of outliers: recorded \(measured)")
        let (median, drawn) = (try #require(measured.quantile(0.5)), try #require(made.quantile(0.5)))
        #expect(abs(median - drawn) <= 2)
        #expect(measured.contains { $0 > 1 })
    }

    // MARK: - Two phones

    @Test func `the errors of two phones on one body correlate a little`() throws {
        let correlation = try #require(Self.pairs(isShared: true).correlationOfPairs())
        print("two phones: drawn \(correlation)")
        // The study: 0.17 to 0.21 for an Android phone and an iPhone, 0.28 to 0.42 for two of a kind.
        #expect((0.17...0.42).contains(correlation))
        let strangers = try #require(Self.pairs(isShared: false).correlationOfPairs())
        #expect(abs(strangers) < 0.05)
    }

    /// By satellites: positions by networks have their own errors.
    private static func pairs(isShared: Bool) -> [ErrorSeries] {
        series(.foot, [.android, .iPhone], isShared: isShared, satellitesAlone: true)
    }

    @Test(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
    func `the errors of two phones on one body correlate like the recorded ones`() throws {
        let recorded = try RecordedErrors.ways(["walk", "wheels", "car/bus"], asked: ["best"])
        let mixed = try #require(recorded.correlationOfPairs { $0.isAndroid != $1.isAndroid })
        let alike = try #require(recorded.correlationOfPairs { $0.isAndroid == $1.isAndroid })
        let drawn = try #require(Self.pairs(isShared: true).correlationOfPairs())
        print("two phones: drawn \(drawn), recorded \(mixed) of two kinds, \(alike) of one kind")
        #expect((min(mixed, alike) - 0.05...max(mixed, alike) + 0.05).contains(drawn))
    }

    // MARK: - Indoors and networks

    @Test func `under a roof a phone stays at a point some metres off`() throws {
        let drawn = Self.series(.indoors, count: 300, seconds: 1_800)
        let spread = drawn.compactMap(\.spreadMetres).mean
        #expect((2.0...5).contains(spread))
        let offsets = drawn.map { series in series.fixes.map(\.error.lengthMetres).sorted().quantile(0.5) ?? 0 }
        #expect((11.0...18).contains(try #require(offsets.sorted().quantile(0.5))))
        for series in drawn {
            let claims = series.isAndroid ? 12.0...20 : 65.0...65
            #expect(series.fixes.allSatisfy { claims.contains($0.claimMetres) })
            let gaps = zip(series.fixes, series.fixes.dropFirst()).map { $1.seconds - $0.seconds }
            #expect(try #require(gaps.min()) > 0.5)
            #expect((15.0...22).contains(gaps.mean))
        }
    }

    @Test(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
    func `under a roof it moves as little as the recorded phones at rest`() throws {
        let measured = try RecordedErrors.rests().compactMap(\.spreadMetres).mean
        let drawn = Self.series(.indoors, [.android], count: 300, seconds: 1_800).compactMap(\.spreadMetres).mean
        print("at rest: drawn \(drawn) m, recorded \(measured) m from the middle")
        #expect(abs(drawn - measured) <= 2)
    }

    @Test func `without satellites an iPhone reports no speed and Android 0`() {
        for system in MeasuredPhone.System.allCases {
            var generator = SeededGenerator(seed: 33)
            let journey = Journey(through: [
                .init(seconds: 0, point: .origin),
                .init(seconds: 20_000, point: PlanePoint(eastMetres: 200_000, northMetres: 0)),
            ])
            let samples = MeasuredPhone(system)
                .samples(of: journey, amid: Scenery(.car), on: Self.plane, from: Self.start, using: &generator)
            let networks = samples.filter { $0.origin == .network }
            // One report in 60 begins a spell of some six.
            #expect((0.04...0.16).contains(Double(networks.count) / Double(samples.count)))
            #expect(networks.allSatisfy { $0.speedMps == (system == .android ? 0 : nil) })
            #expect(samples.filter { $0.origin == .satellites }.allSatisfy { abs(($0.speedMps ?? 0) - 10) < 3 })
        }
    }

    @Test func `in low power an iPhone reports 65 m and is better`() throws {
        var generator = SeededGenerator(seed: 34)
        let journey = Journey(through: [.init(seconds: 0, point: .origin), .init(seconds: 600, point: .origin)])
        var errors: [Double] = []
        for _ in 0..<200 {
            let samples = MeasuredPhone(.iPhone, power: .low)
                .samples(of: journey, amid: Scenery(.foot), on: Self.plane, from: Self.start, using: &generator)
            #expect(samples.allSatisfy { $0.accuracyMetres == 65 && $0.speedMps == nil })
            errors += samples.map { Self.plane.point(of: $0.coordinate).lengthMetres }
        }
        errors.sort()
        // The study: 68 % within 29 to 41 m, 85 to 96 % within 65.
        #expect((27.0...42).contains(try #require(errors.quantile(0.68))))
        #expect((0.85...0.98).contains(Double(errors.count { $0 <= 65 }) / Double(errors.count)))
    }

    @Test func `the surroundings change in order, and a phone indoors loses its satellites`() {
        let scenery = Scenery(.wheels).then(.foot, atSeconds: 60).then(.indoors, atSeconds: 100)
        #expect(
            [-1, 0, 59.9, 60, 99, 100, 1_000].map(scenery.surroundings) == [
                .wheels, .wheels, .wheels, .foot, .foot, .indoors, .indoors,
            ]
        )
        #expect(scenery != Scenery(.wheels).then(.foot, atSeconds: 60))
    }

    @Test func `equal seeds give equal errors, different seeds different ones`() {
        let one = Self.series(.canyon, count: 2).flatMap { $0.fixes.map(\.error) }
        #expect(one == Self.series(.canyon, count: 2).flatMap { $0.fixes.map(\.error) })
        #expect(one != Self.series(.canyon, count: 2, seed: 32).flatMap { $0.fixes.map(\.error) })
    }
}
