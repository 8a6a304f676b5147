import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Checking nicknames over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct NicknameConversationTests {
    @Test(.proves("2.23", "checkNickname"), arguments: WireCodec.allCases)
    func `tells free from taken, before and after the sign-in`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let answers: [(text: String, nickname: String, free: Bool)] = [
                    ("Cem", "Cem", true), (" Cem ", "Cem", true), ("bEA", "bEA", false), ("ＢＥＡ", "ＢＥＡ", false),
                    ("Веа", "Веа", false),
                ]
                try await world.stranger { stranger in
                    for (text, nickname, free) in answers {
                        let reply = try await stranger.client.checkNickname(text)
                        #expect(reply.nickname == nickname && reply.free == free, "\(text)")
                    }
                    // A check reserves nothing and signs nobody in.
                    #expect(await stranger.refusal(.getMe(WireGetMe())) == .authRequired)
                }
                for (text, _, free) in answers { #expect(try await ada.client.checkNickname(text).free == free) }
                // One's own name, in any case, is free.
                #expect(try await bea.client.checkNickname("bEA").free)
            }
        }
    }

    @Test(.proves("2.23", "checkNickname"))
    func `rejects what no nickname can be`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                for text in ["", "A", "a b", String(repeating: "a", count: 21), "a\u{7}b"] {
                    let error = try #require(await ada.error(.checkNickname(.with { $0.nickname = text })))
                    #expect(error.code == ErrorCode.requestInvalid.rawValue && error.field == "nickname", "\(text)")
                }
            }
        }
    }

    @Test(.proves("2.23", "limit.attempts"), .defends("nickname-probing"))
    func `limits checks a minute, by address before the sign-in and by user after it`() async throws {
        let few: @Sendable (inout ServerSettings) -> Void = {
            $0.throttle.find = 3
            $0.listen.trustedProxies = ["127.0.0.1", "::1"].compactMap { AddressRange($0) }
        }
        let check = WireRequest.checkNickname(.with { $0.nickname = "Cem" })
        try await ServerWorld.with(configure: few) { world in
            try await world.devices { connect in
                for _ in 1...3 {
                    #expect(try await connect(forwardedFor: "203.0.113.1").refusal(check) == nil)
                }
                let fourth = try await connect(forwardedFor: "203.0.113.1")
                guard case .error(let error) = try await fourth.call(check) else {
                    Issue.record("The fourth check is not limited")
                    return
                }
                #expect(error.code == ErrorCode.limitAttempts.rawValue && (1...60_000).contains(error.retryAfterMs))
                // Another address, and a user at the first, have their own.
                #expect(try await connect(forwardedFor: "203.0.113.2").refusal(check) == nil)
                let ada = try await connect(forwardedFor: "203.0.113.1")
                _ = try await ada.signUp("Ada")
                for _ in 1...3 { #expect(try await ada.refusal(check) == nil) }
                #expect(try await ada.refusal(check) == .limitAttempts)
                #expect(try await ada.refusal(.findUser(.named("Ada"))) == .limitAttempts)
            }
        }
    }
}
