import PromisedDomain
import PromisedProtocol
import PromisedSimulation
import PromisedWire
import Testing

/// Positions written by hand, beside the library.
@Suite struct PositionsFrameTests {
    private func expectSameBytes(_ frame: PositionsFrame, _ note: String) throws {
        for codec in WireCodec.allCases {
            let byHand = codec.encode(frame)
            let byLibrary = try codec.encode(frame.message)
            #expect(byHand == byLibrary, "\(codec), \(note)")
        }
    }

    @Test func `writes positions of any content like the library`() throws {
        var generator = SeededGenerator(seed: 21)
        for round in 0..<3_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let frame = PositionsFrame(
                positions: (0..<count).map { _ in position(using: &generator) },
                of: PromiseID(high: generator.next(), low: generator.next()),
                nextReport: Bool.random(using: &generator) ? span(using: &generator) : nil,
                at: instant(using: &generator)
            )
            try expectSameBytes(frame, "round \(round)")
        }
    }

    // Lengths of one, two and three bytes.
    @Test(arguments: [0, 1, 2, 50, 100, 200, 400])
    func `writes any number of positions like the library`(count: Int) throws {
        var generator = SeededGenerator(seed: 22)
        let positions = (0..<count).map { _ in position(using: &generator) }
        let frame = PositionsFrame(
            positions: positions,
            of: PromiseID(high: 1, low: 2),
            nextReport: .seconds(5),
            at: Instant(milliseconds: 1_700_000_000_000)
        )
        try expectSameBytes(frame, "\(count)")
    }

    @Test(arguments: ArrivalEstimate.State.allCases)
    func `writes an estimate of each kind like the library`(state: ArrivalEstimate.State) throws {
        var generator = SeededGenerator(seed: 23)
        for band in [nil, ArrivalEstimate.Band(medianAt: .distantTest, lowAt: .epochTest, highAt: .beforeTest)] {
            var position = position(using: &generator)
            position.estimate = ArrivalEstimate(band: band, state: state)
            let frame = PositionsFrame(
                positions: [position],
                of: PromiseID(high: 0, low: 0),
                nextReport: nil,
                at: .epochTest
            )
            try expectSameBytes(frame, "\(state)")
        }
    }

    @Test func `fits the longest possible frame`() throws {
        let last = Instant(milliseconds: 253_402_300_799_999)
        for instant in [last, Instant(milliseconds: -62_135_596_799_999)] {
            let position = LivePosition(
                userID: UserID(high: .max, low: .max),
                seq: .max,
                coordinate: Coordinate(latitude: -2.2250738585072014e-308, longitude: -1.2345678901234567e-300),
                accuracyMetres: -1.2345678901234567e-300,
                fixTime: instant,
                distanceMetres: -123_456_789_012_345.678,
                estimate: ArrivalEstimate(
                    band: ArrivalEstimate.Band(medianAt: instant, lowAt: instant, highAt: instant),
                    state: .approaching
                ),
                lane: 0
            )
            for count in [1, 50, 200] {
                let frame = PositionsFrame(
                    positions: Array(repeating: position, count: count),
                    of: PromiseID(high: .max, low: .max),
                    nextReport: .milliseconds(.max),
                    at: instant
                )
                try expectSameBytes(frame, "\(count)")
            }
        }
    }

    // MARK: - Random positions

    private func position(using generator: inout SeededGenerator) -> LivePosition {
        LivePosition(
            userID: UserID(high: generator.next(), low: generator.next()),
            seq: Bool.random(using: &generator) ? generator.next() : 0,
            coordinate: Coordinate(latitude: number(using: &generator), longitude: number(using: &generator)),
            accuracyMetres: number(using: &generator),
            fixTime: instant(using: &generator),
            distanceMetres: number(using: &generator),
            estimate: Bool.random(using: &generator) ? estimate(using: &generator) : nil,
            lane: 0
        )
    }

    private func estimate(using generator: inout SeededGenerator) -> ArrivalEstimate {
        let band = ArrivalEstimate.Band(
            medianAt: instant(using: &generator),
            lowAt: instant(using: &generator),
            highAt: instant(using: &generator)
        )
        return ArrivalEstimate(
            band: Bool.random(using: &generator) ? band : nil,
            state: ArrivalEstimate.State.allCases.randomElement(using: &generator) ?? .unknown
        )
    }

    private func number(using generator: inout SeededGenerator) -> Double {
        let odd: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, 1e300, -1.7976931348623157e308, -2.2250738585072014e-308,
            .leastNonzeroMagnitude,
            0.04, 0.05,
            1e16, 123_456_789_012_345.6,
        ]
        guard Int.random(in: 0..<6, using: &generator) > 0 else { return odd.randomElement(using: &generator) ?? 0 }
        return Double.random(in: -200...200_000, using: &generator)
    }

    private func instant(using generator: inout SeededGenerator) -> Instant {
        let odd: [Instant] = [
            .epochTest, .distantTest, .beforeTest, Instant(milliseconds: .max), Instant(milliseconds: .min),
        ]
        guard Int.random(in: 0..<6, using: &generator) > 0 else {
            return odd.randomElement(using: &generator) ?? .epochTest
        }
        return Instant(milliseconds: Int64.random(in: -1_000_000_000...2_000_000_000_000, using: &generator))
    }

    private func span(using generator: inout SeededGenerator) -> TimeSpan {
        let odd: [Int64] = [0, -1, 1, .max, .min, Int64(UInt32.max), 127, 128]
        guard Bool.random(using: &generator) else { return .milliseconds(odd.randomElement(using: &generator) ?? 0) }
        return .milliseconds(Int64.random(in: 0...10_000, using: &generator))
    }
}

extension Instant {
    fileprivate static let epochTest = Instant(milliseconds: 0)
    /// The end of the year 9999; later instants do not fit.
    fileprivate static let distantTest = Instant(milliseconds: 253_402_300_799_999)
    fileprivate static let beforeTest = Instant(milliseconds: -1)
}
