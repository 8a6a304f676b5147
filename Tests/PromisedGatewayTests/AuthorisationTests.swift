import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedGateway

/// The rights of each kind of sender, over connections in memory.
@Suite(.timeLimit(.minutes(1))) struct AuthorisationTests {
    private static let admin = WireRequest.admin(.with { $0.getStats = WireAdminGetStats() })
    private static let findUsers = WireRequest.admin(.with { $0.findUsers = WireAdminFindUsers() })

    @Test(arguments: WireCodec.allCases)
    func `refuses requests of a stranger, and keeps it out`(codec: WireCodec) async throws {
        try await GatewayWorld.with { world async throws in
            let stranger = world.outlet.open(codec)
            for request in [WireRequest.getMe(WireGetMe()), .report(nil, seq: 1), Self.admin] {
                #expect(try await stranger.refusal(request) == "auth.required")
            }
            #expect(!stranger.isAdmitted)
        }
    }

    @Test func `admits a user, who has no rights of an administrator`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            #expect(ada.isAdmitted)
            #expect(try await ada.refusal(.getMe(WireGetMe())) == nil)
            #expect(try await ada.refusal(Self.findUsers) == "auth.forbidden")
        }
    }

    @Test func `answers an administrator's forms with the facts of the process`() async throws {
        try await GatewayWorld.with { world in
            let admin = try await world.administrator()
            #expect(admin.isAdmitted)
            guard case .admin(let stats) = try await admin.call(Self.admin) else { throw NoReply() }
            #expect(stats.stats.version == "1.2.3" && stats.stats.memoryBytes == 4_096)
            #expect(stats.stats.connections == 1)
            let check = WireRequest.admin(.with { $0.checkHealth = WireAdminCheckHealth() })
            guard case .admin(let health) = try await admin.call(check) else { throw NoReply() }
            #expect(health.health.checks.map(\.name) == ["storage"])
        }
    }

    @Test(.proves("report", "auth.forbidden"), arguments: [true, false])
    func `refuses a report of an administrator`(isOfOne: Bool) async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let id = try await world.promise(of: ada)
            let admin = try await world.administrator()
            #expect(try await admin.refusal(.report(isOfOne ? id : nil, seq: 1)) == "auth.forbidden")
            #expect(try await admin.refusal(.getMe(WireGetMe())) == "auth.forbidden")
            #expect(admin.closeCode == nil)
        }
    }

    @Test(.proves("report", "auth.forbidden"), arguments: [true, false])
    func `refuses a report of a viewer, who can do nothing but watch`(isOfOne: Bool) async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let id = try await world.promise(of: ada)
            let viewer = try await world.viewer(of: id, by: ada)
            #expect(try await viewer.refusal(.report(isOfOne ? id : nil, seq: 1)) == "auth.forbidden")
            #expect(try await viewer.refusal(.subscribe(to: id)) == "auth.forbidden")
            #expect(try await viewer.refusal(Self.admin) == "auth.forbidden")
            #expect(viewer.closeCode == nil)
        }
    }

    @Test func `accepts a user's report, the second on the short way, and refuses a foreign promise`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let (ben, _) = try await world.user("Ben")
            let id = try await world.promise(of: ada)
            _ = try await ada.call(.report(id, seq: 1))
            for seq in UInt32(2)...3 {
                let sent = try await world.lane.run { try ada.send(.report(id, seq: seq)) }
                #expect(sent.isProcessed == true)
                guard case .reported(let reported) = try await ada.reply(to: sent.id) else { throw NoReply() }
                #expect(reported.taken == [seq])
            }
            #expect(try await ben.refusal(.report(id, seq: 1)) == "promise.not-found")
        }
    }

    @Test func `decides by the schema's senders, for a report as for any other request`() throws {
        let all: [(RequestSenders, Party)] = [
            (.stranger, .stranger), (.user, .user(.sample)), (.administrator, .administrator(.sample)),
            (.viewer, .viewer),
        ]
        let declared: [RequestSenders] = [
            WireRequest.hello(WireHello()).senders, WireRequest.signUp(WireSignUp()).senders, Self.admin.senders,
            WireRequest.syncClock(WireSyncClock()).senders, .ofReports, [],
        ]
        for (kind, party) in all {
            for senders in declared {
                let refusal: ErrorCode? =
                    senders.contains(kind) ? nil : kind == .stranger ? .authRequired : .authForbidden
                #expect(party.refusal(of: senders) == refusal)
            }
        }
        #expect(RequestSenders.ofReports == .user)
    }
}

extension Party {
    fileprivate func refusal(of senders: RequestSenders) -> ErrorCode? {
        do throws(RequestError) {
            try require(senders)
            return nil
        } catch {
            return error.code
        }
    }
}
