import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Participants who came together, as the others see them (domain §6.4, §6.9).
@Suite("Pairs over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct TogetherRowTests {
    private static let short: @Sendable (inout ServerSettings) -> Void = {
        $0.window = WindowSpans(before: .minutes(5), after: .minutes(10), settle: .minutes(1))
    }

    /// A walk at 2 m/s up to the place, for 90 s, `behind` metres behind another.
    private static func walk(behind metres: Double) -> [(before: Double, metres: Double)] {
        stride(from: 90.0, through: 0, by: -5).map { ($0, 15 + metres + 2 * $0) }
    }

    @Test(.proves("6.26")) func `participants who came together share a rank, and a block hides the other`()
        async throws
    {
        try await ServerWorld.with(rate: 60, configure: Self.short) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let (ada, bea) = (people[0], people[1])
                let id = try await ada.promise(with: [bea], at: world.now + .minutes(7)).promiseID
                _ = try await ada.client.subscribe(promiseID: id)
                await ada.hears { $0.isTrackingStarted }
                try await world.service.clock.sleep(until: world.now + .seconds(100))
                let phone = DatedPhone(boot: world.now - .hours(1))
                for (person, behind) in [(ada, 0.0), (bea, 20.0)] {
                    _ = try await person.client.report(
                        phone.report(id, sent: world.now, Self.walk(behind: behind))
                    )
                }
                await ada.wait { $0.contains { $0.what?.name == "rankingRevised" } }
                let revised = ada.durable(of: id).filter { $0.what?.name == "rankingRevised" }
                #expect(revised.last?.rankingRevised.arrivals.map(\.rank) == [1])
                #expect(revised.last?.rankingRevised.cause == "backfill")

                let explain = WireExplainArrival.with {
                    $0.promiseID = id
                    $0.userID = bea.id
                }
                for person in [ada, bea] {
                    let why = try await person.reply(.explainArrival(explain)).expect(\.explanation)
                    let pair = try #require(why.cameTogether.first)
                    #expect(why.cameTogether.count == 1 && pair.user.userID == ada.id)
                    #expect(abs(pair.medianDistanceMetres - 20) < 2 && pair.limitMetres == 30)
                    #expect(pair.moments > 6)
                    #expect(try Instant(sent: pair.creditedAt) < Instant(sent: why.arrival.creditedAt))
                }
                _ = try await bea.client.blockUser(userID: ada.id)
                for person in [ada, bea] {
                    let why = try await person.reply(.explainArrival(explain)).expect(\.explanation)
                    #expect(why.cameTogether.isEmpty && why.arrival.rank == 1)
                }
            }
        }
    }
}
