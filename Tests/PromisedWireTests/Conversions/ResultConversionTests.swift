import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@Suite struct ResultConversionTests {
    private typealias Samples = DomainSamples

    private let result = PromiseResult(
        promiseID: Samples.promiseID,
        meetsAt: Samples.meetsAt,
        finalAt: Samples.promise.settlesAt,
        penalty: Penalty(amount: 5_000, currency: "KRW"),
        rows: [
            PromiseResult.Row(
                userID: Samples.ada,
                outcome: .early,
                creditedAt: Samples.meetsAt - .milliseconds(500),
                secondsFromMeeting: -1,
                rank: 1,
                source: .myself,
                penaltyOwed: 0
            ),
            PromiseResult.Row(
                userID: Samples.bob,
                outcome: .noShow,
                creditedAt: nil,
                secondsFromMeeting: 0,
                rank: 0,
                source: nil,
                penaltyOwed: 5_000,
                excusedReason: "none"
            ),
        ]
    )

    @Test func `decodes an encoded result unchanged in both codecs`() throws {
        let frame = WireServerFrame(id: 7, content: .result(WireResult(result, card: Samples.card)))
        for codec in WireCodec.allCases {
            let wire = try codec.decodeServerFrame(codec.encode(frame)).result
            #expect(try PromiseResult(wire) == result)
            #expect(wire.penaltyTotal == 5_000)
            #expect(wire.rows.map(\.user.nickname) == ["ada", "bob"])
            #expect(wire.rows.map(\.hasCreditedAt) == [true, false])
        }
    }

    @Test func `limits a total to 32 bits`() {
        var large = result
        for index in large.rows.indices { large.rows[index].penaltyOwed = .max }
        #expect(WireResult(large, card: Samples.card).penaltyTotal == .max)
    }

    @Test func `names the invalid part of a result`() {
        let good = WireResult(result, card: Samples.card)
        var wire = good
        wire.rows[1].outcome = .UNRECOGNIZED(99)
        #expect(throws: WireError.invalid(field: "rows[1].outcome")) { try PromiseResult(wire) }
        wire = good
        wire.rows[0].user.userID = "ada"
        #expect(throws: WireError.invalid(field: "rows[0].user.userId")) { try PromiseResult(wire) }
        wire = good
        wire.penalty.currency = "?"
        #expect(throws: WireError.invalid(field: "penalty.currency")) { try PromiseResult(wire) }
        wire = good
        wire.finalAt.nanos = -1
        #expect(throws: WireError.invalid(field: "finalAt")) { try PromiseResult(wire) }
    }

    @Test(
        arguments: [
            // One millisecond before and at each border of the outcomes; the sample's grace is 90 s.
            (-1, .early, -1), (0, .onTime, 0), (89_999, .onTime, 89), (90_000, .late, 90),
        ] as [(Int64, WireOutcome.Value, Int32)]
    )
    func `shows an arrival relative to the meeting`(offset: Int64, outcome: WireOutcome.Value, seconds: Int32) throws {
        let ranked = Samples.arrival(of: Samples.ada, at: Samples.meetsAt + .milliseconds(offset))
        let wire = WireArrival(ranked, of: Samples.promise)
        #expect(wire.outcome == outcome)
        #expect(wire.secondsFromMeeting == seconds)
        #expect(wire.rank == 1)
        #expect(try RankedArrival(wire) == ranked)
    }

    @Test func `decodes encoded stages, sources and outcomes unchanged, and unknown ones as none`() {
        for stage in Arrival.Stage.allCases { #expect(Arrival.Stage(WireArrivalStage.Value(stage)) == stage) }
        for source in Arrival.Source.allCases { #expect(Arrival.Source(WireArrivalSource.Value(source)) == source) }
        for outcome in Outcome.allCases { #expect(Outcome(WireOutcome.Value(outcome)) == outcome) }
        #expect(Arrival.Stage(.unspecified) == nil)
        #expect(Arrival.Source(.UNRECOGNIZED(99)) == nil)
        #expect(Outcome(.unspecified) == nil)
    }

    @Test func `names the invalid part of an arrival`() {
        let good = WireArrival(Samples.arrival(of: Samples.ada), of: Samples.promise)
        var wire = good
        wire.stage = .unspecified
        #expect(throws: WireError.invalid(field: "stage")) { try RankedArrival(wire) }
        wire = good
        wire.source = .UNRECOGNIZED(99)
        #expect(throws: WireError.invalid(field: "source")) { try RankedArrival(wire) }
        wire = good
        wire.userID = ""
        #expect(throws: WireError.invalid(field: "userId")) { try RankedArrival(wire) }
    }
}
