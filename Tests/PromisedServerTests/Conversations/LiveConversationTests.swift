import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite("On the way", .tags(.realTime), .timeLimit(.minutes(2)))
struct LiveConversationTests {
    @Test(.proves("7.2", "setStatus", "presence", "eta", "statusChanged"), arguments: WireCodec.allCases)
    func `removes presence, estimate and status with the positions`(codec: WireCodec) async throws {
        try await ServerWorld.withShortLead(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                _ = try await bea.report(id, seq: 1, metres: 400)
                await ada.wait { $0.contains { $0.positions.positions.first?.eta.state == .approaching } }
                await ada.wait { $0.contains { $0.presence.presences.first?.freshness == .live } }
                await ada.wait { $0.contains { $0.eta.eta.state == .approaching && $0.eta.userID == bea.id } }
                let part = try #require(try await ada.part(of: bea, in: id))
                #expect(part.presence.freshness == .live)
                #expect(part.eta.state == .approaching)
                #expect(part.position.seq == 1)
                var status = WireSetStatus()
                status.promiseID = id
                status.text = " Two minutes "
                status.emoji = "🚲"
                #expect(await bea.refusal(.setStatus(status)) == nil)
                await ada.wait { $0.contains { $0.statusChanged.text == "Two minutes" } }
                #expect(try await ada.part(of: bea, in: id)?.emoji == "🚲")
                status.emoji = "ab"
                #expect(await bea.refusal(.setStatus(status)) == .requestInvalid)
                status.emoji = ""
                status.text = String(repeating: "x", count: 81)
                #expect(await bea.refusal(.setStatus(status)) == .requestInvalid)
                // No report for more than ten of the server's seconds after the next was due.
                await ada.wait { $0.contains { $0.presence.presences.contains { $0.freshness == .lagging } } }
            }
        }
    }

    @Test(.proves("5.1", "setSharing", "sharingChanged", "position.sharing-off"))
    func `pausing hides at once and rejects positions`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                _ = try await bea.report(id, seq: 1, metres: 400)
                var sharing = WireSetSharing()
                sharing.promiseID = id
                #expect(await bea.refusal(.setSharing(sharing)) == nil)
                await ada.wait { $0.contains { $0.sharingChanged.userID == bea.id && !$0.sharingChanged.on } }
                let part = try #require(try await ada.part(of: bea, in: id))
                #expect(!part.sharing)
                #expect(!part.hasPosition)
                #expect(part.presence.cause == .paused)
                #expect(await bea.refusal(.report(.one(id))) == .positionSharingOff)
                sharing.on = true
                #expect(await bea.refusal(.setSharing(sharing)) == nil)
                #expect(await bea.refusal(.report(.one(id))) == nil)
            }
        }
    }

    @Test(.proves("5.16", "reportTrouble", "presence")) func `shows trouble with its cause`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                var trouble = WireReportTrouble()
                trouble.cause = .noFix
                #expect(await bea.refusal(.reportTrouble(trouble)) == .positionOutsideWindow)
                let id = try await ada.openPromise(with: [bea], in: world)
                #expect(await bea.refusal(.reportTrouble(trouble)) == nil)
                await ada.wait { $0.contains { $0.presence.presences.first?.cause == .noFix } }
                trouble.promiseID = id
                trouble.cause = .offline
                #expect(await bea.refusal(.reportTrouble(trouble)) == .requestInvalid)
                trouble.cause = .lowBattery
                trouble.batteryPercent = 101
                #expect(await bea.refusal(.reportTrouble(trouble)) == .requestInvalid)
                trouble.batteryPercent = 4
                #expect(await bea.refusal(.reportTrouble(trouble)) == nil)
                await ada.wait { $0.contains { $0.presence.presences.first?.cause == .lowBattery } }
            }
        }
    }

    @Test(.proves("9.5", "nudge", "nudged", "nudge.too-often"))
    func `a nudge reaches all, once a minute`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid in
                let id = try await ada.openPromise(with: [bea], in: world)
                var nudge = WireNudge()
                nudge.promiseID = id
                nudge.userID = bea.id
                #expect(await ada.refusal(.nudge(nudge)) == nil)
                await bea.wait { $0.contains { $0.nudged.from == ada.id && $0.nudged.userID == bea.id } }
                #expect(await ada.refusal(.nudge(nudge)) == .nudgeTooOften)
                #expect(await cid.refusal(.nudge(nudge)) == .promiseNotFound)
                nudge.userID = cid.id
                #expect(await ada.refusal(.nudge(nudge)) == .userNotFound)
            }
        }
    }

    // MARK: - Checking in

    @Test(.proves("6.12", "6.13", "checkIn", "getCheckInCode", "code.invalid", "checkin.too-far", "checkin.no-fix"))
    func `checks in manually and by another participant's code`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                #expect(await ada.refusal(.checkIn(.at(id))) == .checkinNoFix)
                _ = try await ada.report(id, seq: 1, metres: 500)
                #expect(await ada.refusal(.checkIn(.at(id))) == .checkinTooFar)
                #expect(await ada.refusal(.getCheckInCode(.of(id))) == .authForbidden)
                // Time to get there: the server rejects speeds above 100 m/s.
                try await world.service.clock.sleep(until: world.now + .seconds(10))
                _ = try await ada.report(id, seq: 2, metres: 40)
                let arrival = try await ada.reply(.checkIn(.at(id))).expect(\.arrival)
                #expect(arrival.stage == .confirmed)
                #expect(arrival.source == .self_)
                #expect(arrival.rank == 1)
                await bea.wait { $0.contains { $0.arrived.arrival.userID == ada.id } }
                // The server asks Ada to stop reporting after her arrival.
                await ada.wait { $0.contains { $0.what?.name == "pace" && $0.pace.nextReportMs == 0 } }
                let code = try await ada.reply(.getCheckInCode(.of(id))).expect(\.checkInCode)
                #expect(code.code.count == 6)
                let wrong = code.code == "000000" ? "000001" : "000000"
                for _ in 1...9 { #expect(await bea.refusal(.checkIn(.at(id, code: wrong))) == .codeInvalid) }
                let second = try await bea.reply(.checkIn(.at(id, code: code.code))).expect(\.arrival)
                #expect(second.source == .peer)
                #expect(await bea.refusal(.checkIn(.at(id, code: wrong))) == .codeInvalid)
                #expect(await bea.refusal(.checkIn(.at(id, code: code.code))) == .limitAttempts)
            }
        }
    }

    // MARK: - Excusing and explaining

    @Test(.proves("8.6", "excuse", "excused")) func `notifies all of an owner's excuse`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                var excuse = WireExcuse()
                excuse.promiseID = id
                excuse.userID = bea.id
                #expect(await ada.refusal(.excuse(excuse)) == .requestInvalid)
                excuse.reason = "The train stood still"
                #expect(await bea.refusal(.excuse(excuse)) == .promiseNotOwner)
                let table = try await ada.reply(.excuse(excuse)).expect(\.result)
                #expect(table.rows.first { $0.user.userID == bea.id }?.outcome == .excused)
                await bea.wait { $0.contains { $0.excused.row.excusedReason == "The train stood still" } }
                excuse.userID = ada.id
                #expect(await ada.refusal(.excuse(excuse)) == .authForbidden)
            }
        }
    }

    @Test(.proves("6.15", "explainArrival"))
    func `explains an arrival to its participant and the promise's owner`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid in
                let id = try await ada.openPromise(with: [bea, cid], in: world)
                for (seq, metres) in [(1, 200.0), (2, 30), (3, 20), (4, 20)] {
                    _ = try await bea.report(id, seq: UInt32(seq), metres: metres)
                    try await world.service.clock.sleep(until: world.now + .seconds(12))
                }
                var bad = WireReport.one(id)
                bad.fixes[0].seq = 5
                bad.fixes[0].latitude = 91
                _ = try await bea.client.report(bad)
                var request = WireExplainArrival()
                request.promiseID = id
                request.userID = bea.id
                for person in [ada, bea] {
                    let why = try await person.reply(.explainArrival(request)).expect(\.explanation)
                    #expect(why.clause == .settled)
                    #expect(why.fixes.map(\.seq) == [1, 2, 3, 4, 5])
                    #expect(why.fixes.map(\.use) == [.outside, .strong, .strong, .strong, .refused])
                    #expect(why.fixes.last?.code == "position.invalid")
                    #expect(why.hasCrossing)
                    #expect(why.revisions.map(\.cause) == ["arrived"])
                }
                #expect(await cid.refusal(.explainArrival(request)) == .promiseNotOwner)
                request.cursor = "-1"
                #expect(await bea.refusal(.explainArrival(request)) == .requestInvalid)
            }
        }
    }
}

extension WireCheckIn {
    static func at(_ promiseID: String, code: String? = nil) -> WireCheckIn {
        var request = WireCheckIn()
        request.promiseID = promiseID
        if let code { request.code = code }
        return request
    }
}

extension WireGetCheckInCode {
    static func of(_ promiseID: String) -> WireGetCheckInCode {
        WireGetCheckInCode.with { $0.promiseID = promiseID }
    }
}
