import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedSettings

/// Arrivals as the other participants see them (domain §6, docs/reference.md#events).
@Suite("Arrivals over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct ArrivalRowTests {
    private static let short: @Sendable (inout ServerSettings) -> Void = {
        $0.window = WindowSpans(before: .minutes(5), after: .minutes(10), settle: .minutes(1))
    }

    @Test(
        .proves("6.5", "6.6", "9.4", "arrived", "arrivalConfirmed", "arrivalRetracted", "rankingRevised"),
        arguments: WireCodec.allCases
    )
    func `announces an arrival, its changes of rank by others, and its confirmation`(codec: WireCodec) async throws {
        // The clock runs sixty times as fast; the confirmation by the clock follows 210 of its seconds later.
        try await ServerWorld.with(codec: codec, rate: 60, configure: Self.short) { world in
            try await world.with("Ada", "Bea", "Dan") { people async throws in
                let ada = people[0]
                let id = try await ada.promise(with: [people[1], people[2]], at: world.now + .minutes(7)).promiseID
                _ = try await ada.client.subscribe(promiseID: id)
                await ada.hears { $0.isTrackingStarted }
                try await world.service.clock.sleep(until: world.now + .seconds(60))
                try await Self.arrive(id, bea: people[1], dan: people[2], in: world)
                await ada.wait { $0.contains { $0.what?.name == "arrivalConfirmed" } }
                let told = ada.durable(of: id).filter { $0.what?.isTrackingStarted == false }
                #expect(
                    told.compactMap { $0.what?.name } == [
                        "arrived", "arrived", "rankingRevised", "arrivalRetracted", "rankingRevised",
                        "arrivalConfirmed",
                    ]
                )
                try #require(told.count == 6)
                Self.expectContent(of: told, bea: people[1].id, dan: people[2].id)
            }
        }
    }

    @Test func `announces an arrival also if its phone disconnects at once`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world)
                _ = try await ada.client.subscribe(promiseID: id)
                try await world.service.clock.sleep(until: world.now + .seconds(45))
                let phone = DatedPhone(boot: world.now - .hours(1))
                let raw = try await RawPhone(world)
                _ = try await raw.call(.signIn(.sample(bea.email, bea.password)))
                // The first finds its session; the second is processed where it is received.
                _ = try await raw.call(.report(phone.report(id, sent: world.now, [(0, 200)])))
                try await world.service.clock.sleep(until: world.now + .seconds(20))
                let last = WireClientFrame(id: 0, request: .report(phone.report(id, sent: world.now, first: 2)))
                await raw.peer.write(
                    RawPeer.frame(1, try WireCodec.json.encode(last)) + RawPeer.closeFrame(1000)
                )
                await ada.wait { $0.contains { $0.what?.name == "arrived" } }
            }
        }
    }

    /// Bea arrives, then Dan turns out to have arrived before her, and then to have only passed by.
    private static func arrive(_ id: String, bea: Person, dan: Person, in world: ServerWorld) async throws {
        let phone = DatedPhone(boot: world.now - .hours(1))
        _ = try await bea.client.report(phone.report(id, sent: world.now))
        let earlier = [(40, 80), (35, 20), (30, 20), (25, 20)] as [(before: Double, metres: Double)]
        _ = try await dan.client.report(phone.report(id, sent: world.now, earlier))
        _ = try await dan.client.report(phone.report(id, sent: world.now, first: 5, [(5, 250), (0, 300)]))
    }

    private static func expectContent(of told: [WireEvent], bea: String, dan: String) {
        let first = told[0].arrived.arrival
        #expect(first.userID == bea && first.rank == 1 && first.stage == .provisional)
        #expect(first.source == .gps && first.outcome == .early && first.secondsFromMeeting < 0)
        let second = told[1].arrived.arrival
        #expect(second.userID == dan && second.rank == 1 && second.stage == .provisional)
        #expect(second.secondsFromMeeting < first.secondsFromMeeting)
        #expect(told[2].rankingRevised.arrivals.map(\.userID) == [bea])
        #expect(told[2].rankingRevised.arrivals.map(\.rank) == [2])
        // His fixes were received later than those of an arrival announced live.
        #expect(told[2].rankingRevised.cause == "backfill")
        #expect(told[3].arrivalRetracted.userID == dan)
        #expect(told[3].arrivalRetracted.reason == "left-again")
        #expect(told[4].rankingRevised.arrivals.map(\.rank) == [1])
        #expect(told[4].rankingRevised.cause == "retraction")
        let last = told[5].arrivalConfirmed.arrival
        #expect(last.userID == bea && last.rank == 1 && last.stage == .confirmed)
        #expect(last.creditedAt == first.creditedAt)
    }

    @Test(.proves("5.3", "6.14", "pace"))
    func `a promise by the first fix confirms arrivals at once`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world) { $0.rule.name = .firstFix }
                _ = try await bea.report(id, seq: 1, metres: 51)
                #expect(try await ada.part(of: bea, in: id)?.hasArrival == false)
                _ = try await bea.report(id, seq: 2, metres: 49)
                await ada.hears { $0.name == "arrivalConfirmed" }
                #expect(try await ada.part(of: bea, in: id)?.arrival.stage == .confirmed)
                // After a confirmed arrival the server asks Bea to stop, and rejects nothing.
                await bea.wait { $0.contains { $0.what?.name == "pace" && $0.pace.nextReportMs == 0 } }
                #expect(try await bea.report(id, seq: 3, metres: 400).taken == [3])
                #expect(try await ada.part(of: bea, in: id)?.arrival.stage == .confirmed)
            }
        }
    }

    @Test(.proves("5.4", "pace")) func `requests a slower pace from a distant participant`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world)
                let phone = DatedPhone(boot: world.now)
                try await world.service.clock.sleep(until: world.now + .seconds(50))
                _ = try await phone.sync(at: world.now) { try await bea.client.syncClock($0) }
                // Walking, five kilometres away: an hour and three quarters to go.
                var reported = WireReported()
                for (seq, before) in [40.0, 20, 0].enumerated() {
                    let sent = world.now - .seconds(before)
                    let report = phone.report(id, sent: sent, first: UInt32(seq + 1), [(0, 5_000 + before)])
                    reported = try await bea.client.report(report)
                }
                #expect(reported.nextReportMs > 50_000)
                #expect(reported.nextReportMs <= 60_000)
                await bea.wait { $0.contains { $0.what?.name == "pace" && $0.pace.nextReportMs > 50_000 } }
            }
        }
    }
}
