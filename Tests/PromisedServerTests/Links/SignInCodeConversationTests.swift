import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// Signing in by a single-use code.
@Suite(.timeLimit(.minutes(1)))
struct SignInCodeConversationTests {
    @Test(.proves("exchangeCode")) func `a code signs its user in once`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let code = world.service.issueSignInCode(for: try UserID(wire: people[0].id, field: "userId"))
                try await world.withViewers(2) { viewers in
                    let session = try await viewers[0].client.exchangeCode(code)
                    #expect(session.user.nickname == "Ada")
                    #expect(try await viewers[0].client.hello().user.userID == people[0].id)
                    #expect(try await viewers[0].client.getMe().user.userID == people[0].id)
                    #expect(await viewers[1].refusal(.exchangeCode(.with { $0.code = code })) == .codeInvalid)
                    #expect(await viewers[1].refusal(.watchByLink(.with { $0.code = code })) == .codeInvalid)
                }
            }
        }
    }

    @Test func `rejects a code from a signed-in user without consuming it`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people in
                let code = world.service.issueSignInCode(for: try UserID(wire: people[0].id, field: "userId"))
                #expect(await people[1].refusal(.exchangeCode(.with { $0.code = code })) == .authForbidden)
                try await world.withViewers { viewers in
                    let session = try await viewers[0].client.exchangeCode(code)
                    #expect(session.user.userID == people[0].id)
                }
            }
        }
    }

    @Test func `rejects a code of a missing user`() async throws {
        try await ServerWorld.with { world in
            var generator = SystemRandomNumberGenerator()
            let code = world.service.issueSignInCode(for: UserID(at: world.now, using: &generator))
            try await world.withViewers { viewers in
                let refusal = await viewers[0].refusal(.exchangeCode(.with { $0.code = code }))
                #expect(refusal == .codeInvalid)
            }
        }
    }
}
