import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("The list of sessions over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct SessionListConversationTests {
    @Test(.proves("2.24", "listSessions", "endSession", "4501"), arguments: WireCodec.allCases)
    func `lists the open sessions, and ends another one at once`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                try await world.devices { connect in
                    let other = try await connect()
                    let session = try await ada.signIn(on: other)
                    var hello = WireHello.sample(session.accessToken)
                    hello.client = .with { ($0.name, $0.version, $0.platform) = ("tablet-app", "2.1", "android") }
                    #expect(try await other.refusal(.hello(hello)) == nil)
                    let listed = try await ada.client.listSessions().sessions
                    #expect(listed.map(\.current) == [false, true])
                    #expect(listed[0].client.contains("tablet-app") && listed[0].client.contains("android"))
                    #expect(listed.allSatisfy { $0.hasCreatedAt && $0.hasExpiresAt })
                    #expect(try await bea.client.listSessions().sessions.map(\.current) == [true])

                    // Another user's session is ignored, one's own is refused.
                    try await bea.client.endSession(sessionID: listed[0].sessionID)
                    #expect(try await other.refusal(.getMe(WireGetMe())) == nil)
                    let own = WireEndSession.with { $0.sessionID = listed[1].sessionID }
                    let refused = await ada.error(.endSession(own))
                    #expect(refused?.code == ErrorCode.requestInvalid.rawValue && refused?.field == "sessionId")
                    #expect(refused?.message.contains("signOut") == true)
                    let wrong = WireEndSession.with { $0.sessionID = "x" }
                    #expect(await ada.refusal(.endSession(wrong)) == .requestInvalid)

                    try await ada.client.endSession(sessionID: listed[0].sessionID)
                    #expect(try await other.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(other.revocations == ["signed-out"])
                    #expect(try await ada.client.listSessions().sessions.map(\.sessionID) == [listed[1].sessionID])
                    // Again: it has ended already.
                    try await ada.client.endSession(sessionID: listed[0].sessionID)
                    let stranger = try await connect()
                    #expect(try await stranger.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                }
            }
        }
    }

    @Test(.proves("2.24", "endSession")) func `ends all other sessions and keeps this one`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let ada = people[0]
                    let (one, two) = (try await connect(), try await connect())
                    for device in [one, two] { _ = try await ada.signIn(on: device) }
                    #expect(try await ada.client.listSessions().sessions.count == 3)
                    try await ada.client.endSession()
                    for device in [one, two] {
                        #expect(try await device.closed() == CloseCode.sessionRevoked.rawValue)
                    }
                    #expect(try await ada.client.listSessions().sessions.map(\.current) == [true])
                    #expect(try await ada.me().email == ada.email)
                }
            }
        }
    }
}
