import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// A participant without an arrival: notified on the way, and explained (domain §6.9).
@Suite("Without an arrival", .tags(.realTime), .timeLimit(.minutes(2)))
struct NoArrivalConversationTests {
    /// A report of one fix north of the place.
    private static func report(_ id: String, seq: UInt32, metres: Double, accuracy: Double) -> WireReport {
        var report = WireReport.one(id)
        report.fixes[0].seq = seq
        report.fixes[0].latitude += metres / 111_195
        report.fixes[0].accuracyMetres = accuracy
        return report
    }

    @Test(.proves("6.20", "cannotCount"), arguments: WireCodec.allCases)
    func `notifies a participant of unusable positions, and the explanation has the reason`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.withShortLead(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                for person in [ada, bea] { _ = try await person.client.subscribe(promiseID: id) }
                for (seq, accuracy) in [(1, 90.0), (2, 82), (3, 400), (4, 90)] {
                    _ = try await bea.client.report(
                        Self.report(id, seq: UInt32(seq), metres: 20, accuracy: accuracy)
                    )
                    try await world.service.clock.sleep(until: world.now + .seconds(12))
                }
                await bea.wait {
                    $0.contains { $0.cannotCount == .with { ($0.errorMetres, $0.limitMetres) = (82, 70) } }
                }
                #expect(!ada.received.contains { $0.what?.name == "cannotCount" })
                let request = WireExplainArrival.with { ($0.promiseID, $0.userID) = (id, bea.id) }
                for person in [ada, bea] {
                    let why = try await person.reply(.explainArrival(request)).expect(\.explanation)
                    #expect(!why.hasArrival)
                    #expect(why.ruleVersion == 2)
                    #expect(why.noArrival.reason == .tooInaccurate)
                    #expect(why.noArrival.unusableInside == 4)
                    #expect(why.noArrival.leastErrorMetres == 82)
                    #expect([why.noArrival.radiusMetres, why.noArrival.limitMetres] == [50, 70])
                    #expect(why.noArrival.hasLastAt)
                    #expect(!why.noArrival.hasNearestMetres)
                    #expect(why.fixes.map(\.use) == [.unusable, .unusable, .unusable, .unusable])
                    #expect(why.fixes.allSatisfy { $0.limitMetres == 70 })
                }
            }
        }
    }

    @Test(.proves("6.19"))
    func `explains a held arrival by its distance and a retracted one by its reason`()
        async throws
    {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                let request = WireExplainArrival.with { ($0.promiseID, $0.userID) = (id, bea.id) }
                let silent = try await ada.reply(.explainArrival(request)).expect(\.explanation)
                #expect(silent.noArrival.reason == .noPosition)
                for (seq, metres) in [(1, 30.0), (2, 25), (3, 90)] {
                    _ = try await bea.report(id, seq: UInt32(seq), metres: metres)
                    try await world.service.clock.sleep(until: world.now + .seconds(12))
                }
                let waiting = try await ada.reply(.explainArrival(request)).expect(\.explanation)
                #expect(waiting.arrival.stage == .provisional)
                #expect(waiting.hold.distanceMetres.rounded() == 90)
                #expect(waiting.hold.since == waiting.fixes.last?.fixTime)
                #expect(!waiting.hasNoArrival)
                _ = try await bea.report(id, seq: 4, metres: 100)
                let why = try await ada.reply(.explainArrival(request)).expect(\.explanation)
                #expect(!why.hasArrival)
                #expect(why.noArrival.reason == .passed)
                #expect(why.noArrival.retraction.cause == .passed)
                #expect(why.noArrival.retraction.at == why.fixes.last?.fixTime)
                #expect([why.noArrival.inside, why.noArrival.outside] == [2, 2])
                #expect(why.revisions.map(\.cause) == ["arrived", "left-again"])
            }
        }
    }
}
