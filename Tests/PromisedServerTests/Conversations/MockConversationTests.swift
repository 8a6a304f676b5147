import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings

@Suite("Simulated positions over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct MockConversationTests {
    private static let short: @Sendable (inout ServerSettings) -> Void = {
        $0.window = WindowSpans(before: .minutes(5), after: .minutes(10), settle: .minutes(1))
    }

    @Test(.proves("6.27", "16.7", "arrived", "getResult", "visitMade"), arguments: WireCodec.allCases)
    func `marks arrival, result and visit, and gives no badge`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec, rate: 120, configure: Self.short) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.promise(with: [bea], at: world.now + .minutes(7)).promiseID
                _ = try await ada.client.subscribe(promiseID: id)
                _ = try await bea.client.subscribe(promiseID: id)
                await ada.hears { $0.isTrackingStarted }
                try await world.service.clock.sleep(until: world.now + .seconds(60))
                let phone = DatedPhone(boot: world.now - .hours(1))
                var report = phone.report(id, sent: world.now)
                _ = try await ada.client.report(report)
                for index in report.fixes.indices { report.fixes[index].mock = true }
                _ = try await bea.client.report(report)
                await ada.wait { $0.count { $0.what?.name == "arrived" } == 2 }
                let told = ada.durable(of: id).filter { $0.what?.name == "arrived" }.map(\.arrived.arrival)
                #expect(told.map { [ada.id: false, bea.id: true][$0.userID] == $0.mock } == [true, true])
                #expect(try await ada.part(of: bea, in: id)?.arrival.mock == true)
                await ada.wait { $0.contains { $0.what?.isResultFinal == true } }
                let rows = try await ada.client.getResult(promiseID: id).rows
                #expect(Set(rows.filter(\.mock).map(\.user.userID)) == [bea.id] && rows.count == 2)
                await bea.wait { $0.contains { $0.what?.visitMade != nil } }
                #expect(bea.received.compactMap { $0.what?.visitMade?.mock } == [true])
                let visits = try await bea.client.listVisits(.init()).visits
                #expect(visits.map(\.mock) == [true])
                let statistics = try await bea.client.getVisitStatistics()
                #expect(statistics.visits == 1 && statistics.counted == 0)
                #expect(statistics.badges.allSatisfy { !$0.hasEarnedAt && $0.progress == 0 })
                #expect(try await ada.client.getVisitStatistics().counted == 1)
            }
        }
    }
}
