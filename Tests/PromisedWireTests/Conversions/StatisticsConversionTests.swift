import PromisedDomain
import PromisedProtocol
import PromisedWire
import Testing

@Suite struct StatisticsConversionTests {
    private typealias Samples = DomainSamples

    private let statistics = Statistics(
        of: Samples.ada,
        early: 3,
        onTime: 2,
        late: 5,
        noShow: 1,
        bestRank: 2,
        meanLatenessSeconds: 61.5
    )

    @Test func `decodes encoded statistics unchanged in both codecs`() throws {
        let frame = WireServerFrame(id: 7, content: .statistics(WireStatistics(statistics)))
        for codec in WireCodec.allCases {
            let wire = try codec.decodeServerFrame(codec.encode(frame)).statistics
            #expect(try Statistics(wire) == statistics)
            #expect(wire.counted == 10)
            #expect(wire.punctualityPercent == 50)
            #expect(wire.tier == "lower-mantle")
        }
    }

    @Test func `without a counted result there is no percentage`() throws {
        let wire = WireStatistics(Statistics(of: Samples.ada))
        #expect(!wire.hasPunctualityPercent)
        #expect(wire.tier == "newcomer")
        #expect(wire.bestRank == 0)
        #expect(try Statistics(wire) == Statistics(of: Samples.ada))
        // 0 % is a value, not an absence.
        let never = Statistics(
            of: Samples.ada,
            early: 0,
            onTime: 0,
            late: 1,
            noShow: 1,
            bestRank: 0,
            meanLatenessSeconds: 0
        )
        #expect(WireStatistics(never).hasPunctualityPercent)
        #expect(WireStatistics(never).tier == "inner-core")
    }

    @Test func `names the invalid part of statistics`() {
        let good = WireStatistics(statistics)
        var wire = good
        wire.counted = 11
        #expect(throws: WireError.invalid(field: "counted")) { try Statistics(wire) }
        wire = good
        wire.noShow = 6
        #expect(throws: WireError.invalid(field: "noShow")) { try Statistics(wire) }
        wire = good
        wire.userID = "ada"
        #expect(throws: WireError.invalid(field: "userId")) { try Statistics(wire) }
        for lateness in [-0.5, .nan, .infinity] {
            wire = good
            wire.meanLatenessSeconds = lateness
            #expect(throws: WireError.invalid(field: "meanLatenessSeconds")) { try Statistics(wire) }
        }
    }
}
