import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite("The main path", .tags(.realTime), .timeLimit(.minutes(2)))
struct MainPathTests {
    @Test(
        .proves("4.7", "9.7", "report", "subscribe", "getResult", "positions", "resultFinal", "visitMade"),
        arguments: WireCodec.allCases
    )
    func `a promise lives from creation to its final result`(codec: WireCodec) async throws {
        // Half a minute of set-up on the real clock is 50 minutes on this one.
        try await ServerWorld.with(codec: codec, rate: 3_000) { world in
            try await world.with("Ada", "Bea", "Cid") { people in
                let (ada, bea) = (people[0], people[1])
                let meetsAt = world.now + .minutes(30) + .hours(3)
                let promise = try await ada.promise(with: [bea, people[2]], at: meetsAt)
                #expect(promise.status == .scheduled)
                #expect(promise.participants.map(\.membership) == [.accepted, .invited, .invited])
                for person in people { _ = try await person.client.subscribe(promiseID: promise.promiseID) }
                try await world.service.clock.sleep(until: meetsAt - .minutes(20))
                for (seq, metres) in [70.0, 45, 35, 28, 22, 20, 20].enumerated() {
                    let reported = try await bea.report(promise.promiseID, seq: UInt32(seq + 1), metres: metres)
                    #expect(reported.taken == [UInt32(seq + 1)])
                    try await world.service.clock.sleep(until: world.now + .seconds(10))
                }
                await ada.wait { $0.contains { $0.what?.isResultFinal == true } }
                let result = try await ada.client.getResult(promiseID: promise.promiseID)
                #expect(result.rows.map(\.user.nickname) == ["Bea", "Ada", "Cid"])
                #expect(result.rows.map(\.outcome) == [.early, .noShow, .noShow])
                #expect(result.rows.map(\.rank) == [1, 0, 0])
                let numbers = ada.received.filter { $0.promiseID == promise.promiseID && $0.seq > 0 }.map(\.seq)
                #expect(numbers == Array(numbers[0]...(numbers.last ?? 0)))
                #expect(ada.received.contains { $0.what?.isPositions == true })
                // Bea arrived and has a visit; the others have none.
                await bea.wait { $0.contains { $0.what?.visitMade != nil } }
                let visits = try await bea.client.listVisits(.init()).visits
                #expect(visits.map(\.promiseID) == [promise.promiseID] && visits[0].source == .arrival)
                #expect(visits[0].outcome == .early && visits[0].rank == 1 && visits[0].companions.isEmpty)
                #expect(visits[0].visitedAt == result.rows[0].creditedAt && visits[0].audience == .private)
                #expect(bea.received.compactMap { $0.what?.visitMade } == visits)
                #expect(try await ada.client.listVisits(.init()).visits.isEmpty)
                #expect(await bea.refusal(.report(.one(promise.promiseID))) == .positionOutsideWindow)
            }
        }
    }

    @Test(.proves("5.1", "report", "position.outside-window"))
    func `rejects a report without a tracking promise as outside any window`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                #expect(await people[0].refusal(.report(.one(nil))) == .positionOutsideWindow)
            }
        }
    }

    @Test(.proves("report", "trackingStarted"))
    func `a tracking promise accepts reports without a promise`() async throws {
        // The hour before the opening is six seconds on this clock.
        let meetsAt = ServerWorld.start + .minutes(90)
        try await ServerWorld.with(rate: 600) { world in
            try await world.with("Ada") { people in
                let promise = try await people[0].promise(with: [], at: meetsAt)
                _ = try await people[0].client.subscribe(promiseID: promise.promiseID)
                await people[0].wait { $0.contains { $0.what?.isTrackingStarted == true } }
                let reported = try await people[0].report(nil, seq: 1, metres: 900)
                #expect(reported.taken == [1])
                #expect(reported.nextReportMs > 0)
                await people[0].wait { $0.contains { $0.what?.isPositions == true } }
            }
        }
    }
}

extension WireReport {
    static func one(_ promiseID: String?) -> WireReport {
        var report = WireReport()
        if let promiseID { report.promiseID = promiseID }
        let fix = WireFix.with {
            $0.seq = 1_000
            $0.latitude = 37.5
            $0.longitude = 127
        }
        report.fixes = [fix]
        return report
    }
}

extension WireEvent.OneOf_What {
    var isPositions: Bool { if case .positions = self { true } else { false } }
    var isResultFinal: Bool { if case .resultFinal = self { true } else { false } }
    var isTrackingStarted: Bool { if case .trackingStarted = self { true } else { false } }
    var visitMade: WireVisit? { if case .visitMade(let made) = self { made.visit } else { nil } }
    var isInvited: Bool { if case .invited = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    var isJoined: Bool { if case .joined = self { true } else { false } }
    var isFriendAdded: Bool { if case .friendAdded = self { true } else { false } }
}
