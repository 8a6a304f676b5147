import PromisedDomain
import PromisedTestMarks
import Testing

@Suite struct PunctualityTierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var percent: Double?
        var tier: PunctualityTier

        init(_ percent: Double?, _ tier: PunctualityTier) {
            self.percent = percent
            self.tier = tier
        }

        var testDescription: String { "\(percent.map { "\($0) %" } ?? "nothing counted") → \(tier)" }
    }

    static let cases = [
        Case(nil, .newcomer),
        // Each bound belongs to the band below it, the next representable number to the band above.
        Case(0, .innerCore), Case(0.0.nextUp, .outerCore), Case(0.01, .outerCore),
        Case(30.0.nextDown, .outerCore), Case(30, .outerCore), Case(30.0.nextUp, .lowerMantle),
        Case(50.0.nextDown, .lowerMantle), Case(50, .lowerMantle), Case(50.0.nextUp, .upperMantle),
        Case(70.0.nextDown, .upperMantle), Case(70, .upperMantle), Case(70.0.nextUp, .crust),
        Case(80.0.nextDown, .crust), Case(80, .crust), Case(80.0.nextUp, .surface),
        Case(90.0.nextDown, .surface), Case(90, .surface), Case(90.0.nextUp, .troposphere),
        Case(95.0.nextDown, .troposphere), Case(95, .troposphere), Case(95.0.nextUp, .stratosphere),
        Case(100, .stratosphere),
        // An impossible percentage counts as the nearest band.
        Case(-1, .innerCore), Case(101, .stratosphere),
    ]

    @Test(.proves("2.17"), arguments: cases)
    func `each percentage has a band`(_ row: Case) {
        #expect(PunctualityTier(percent: row.percent) == row.tier)
    }

    @Test(.proves("2.17")) func `the identifiers are stable`() {
        #expect(
            PunctualityTier.allCases.map(\.rawValue) == [
                "newcomer", "inner-core", "outer-core", "lower-mantle", "upper-mantle", "crust", "surface",
                "troposphere", "stratosphere",
            ]
        )
    }

    @Test(.proves("2.17")) func `bands rise with the percentage and have no gaps`() {
        let order = PunctualityTier.allCases
        for counted in 1...400 {
            var before = order[1]
            for punctual in 0...counted {
                let percent = Double(100 * punctual) / Double(counted)
                let tier = PunctualityTier(percent: percent)
                let bounds: [PunctualityTier: ClosedRange<Int>] = [
                    .innerCore: 0...0, .outerCore: 1...(30 * counted),
                    .lowerMantle: (30 * counted + 1)...(50 * counted),
                    .upperMantle: (50 * counted + 1)...(70 * counted), .crust: (70 * counted + 1)...(80 * counted),
                    .surface: (80 * counted + 1)...(90 * counted), .troposphere: (90 * counted + 1)...(95 * counted),
                    .stratosphere: (95 * counted + 1)...(100 * counted),
                ]
                // The same in whole numbers: percent × counted.
                let owners = bounds.filter { $0.value.contains(100 * punctual) }.map(\.key)
                #expect(owners == [tier], "\(punctual) of \(counted)")
                #expect((order.firstIndex(of: tier) ?? 0) >= (order.firstIndex(of: before) ?? 0))
                before = tier
            }
        }
    }
}
