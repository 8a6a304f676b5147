import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedGateway
@testable import PromisedSettings

/// The rate of requests of one connection, on a clock that only a test moves.
@Suite(.timeLimit(.minutes(1))) struct RateTests {
    private static let few: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.requestRate = 1
        $0.limits.requestBurst = 10
        $0.limits.refusedRequests = 5
    }
    private static let short: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestsBeforeSignIn = 3 }

    @Test(.proves("limit.rate")) func `charges each request to the connection that sent it`() async throws {
        try await GatewayWorld.with(configure: Self.few) { world in
            // The sign-up is the first request.
            let (ada, _) = try await world.user("Ada")
            for _ in 2...10 { #expect(try await ada.refusal(.getMe(WireGetMe())) == nil) }
            #expect(try await ada.refusal(.getMe(WireGetMe())) == "limit.rate")
            let (ben, _) = try await world.user("Ben")
            #expect(try await ben.refusal(.getMe(WireGetMe())) == nil)
            world.clock.advance(by: .seconds(2))
            #expect(try await ada.refusal(.getMe(WireGetMe())) == nil)
        }
    }

    @Test(.proves("limit.rate")) func `charges reports on the short way like all other requests`() async throws {
        try await GatewayWorld.with(configure: Self.few) { world in
            let (ada, _) = try await world.user("Ada")
            // The clock has moved since: ten requests are allowed again.
            let id = try await world.promise(of: ada)
            #expect(try await ada.refusal(.report(id, seq: 1)) == nil)
            for seq in UInt32(2)...11 {
                let sent = try await world.lane.run { try ada.send(.report(id, seq: seq)) }
                #expect(sent.isProcessed == true)
                let reply = try await ada.reply(to: sent.id)
                #expect(reply.refusal == (seq == 11 ? "limit.rate" : nil))
            }
        }
    }

    @Test(.proves("4005"), .defends("request-storms"))
    func `closes a connection that ignores its refusals`() async throws {
        try await GatewayWorld.with(configure: Self.few) { world in
            let (ada, _) = try await world.user("Ada")
            for _ in 2...10 { #expect(try await ada.refusal(.getMe(WireGetMe())) == nil) }
            for _ in 1...5 { #expect(try await ada.refusal(.getMe(WireGetMe())) == "limit.rate") }
            #expect(try await ada.closed() == .rate)
        }
    }

    @Test(.proves("limit.rate")) func `charges an administrator's forms, but not the rows of an import`() async throws {
        try await GatewayWorld.with(configure: Self.few) { world in
            let admin = try await world.administrator()
            var put = WireAdminPutPlaces()
            put.importID = "0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
            put.rows = [WirePlaceRow()]
            let rows = WireRequest.admin(.with { $0.putPlaces = put })
            for _ in 1...20 { #expect(try await admin.refusal(rows) != "limit.rate") }
            let stats = WireRequest.admin(.with { $0.getStats = WireAdminGetStats() })
            for _ in 2...10 { #expect(try await admin.refusal(stats) == nil) }
            _ = try await admin.refusal(stats)
            #expect(try await admin.refusal(stats) == "limit.rate")
        }
    }

    @Test(.proves("4004")) func `closes a stranger that sends too many requests before the sign-in`() async throws {
        try await GatewayWorld.with(configure: Self.short) { world async throws in
            let stranger = world.outlet.open()
            for _ in 1...4 { #expect(try await stranger.refusal(.getMe(WireGetMe())) == "auth.required") }
            #expect(try await stranger.closed() == .noSignIn)
        }
    }
}

extension WireContent {
    /// The code of an error; nil for any other content.
    fileprivate var refusal: String? { if case .error(let error) = self { error.code } else { nil } }
}
