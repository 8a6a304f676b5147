import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestSupport
import PromisedTransport
import Testing

@testable import PromisedSettings

/// Callers that an account knows, over real connections behind a trusted proxy that names them.
@Suite(.timeLimit(.minutes(1))) struct KnownCallerConversationTests {
    private static let right = WireRequest.signIn(.sample("ada@example.org", "correct horse battery"))
    private static let wrong = WireRequest.signIn(.sample("ada@example.org", "wrong password"))

    /// Guessers have used up the three failures of Ada's account.
    private static func withGuessers(_ body: @Sendable (DeviceMaker) async throws -> Void) async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { configuration in
            configuration.throttle.signInsPerAccount = 3
            configuration.listen.trustedProxies = ["127.0.0.1", "::1"].compactMap { AddressRange($0) }
        }
        try await ServerWorld.with(configure: few) { world in
            try await world.devices { maker in
                _ = try await maker(forwardedFor: "203.0.113.1").signUp("Ada")
                for host in 1...3 {
                    let guesser = try await maker(forwardedFor: "198.18.\(host).1")
                    #expect(try await guesser.refusal(wrong) == .authInvalidCredentials)
                }
                try await body(maker)
            }
        }
    }

    @Test func `an address that has signed in gets in beyond the failures of the account, another does not`()
        async throws
    {
        try await Self.withGuessers { maker in
            #expect(try await maker(forwardedFor: "203.0.113.2").refusal(Self.right) == .limitAttempts)
            #expect(try await maker(forwardedFor: "203.0.113.1").refusal(Self.right) == nil)
            // A wrong password from there is wrong, and makes no other address known.
            #expect(try await maker(forwardedFor: "203.0.113.1").refusal(Self.wrong) == .authInvalidCredentials)
            #expect(try await maker(forwardedFor: "198.18.1.1").refusal(Self.right) == .limitAttempts)
        }
    }

    @Test func `an address is known to the account that it has signed in to, not to others`() async throws {
        try await Self.withGuessers { maker in
            _ = try await maker(forwardedFor: "203.0.113.9").signUp("Bob")
            #expect(try await maker(forwardedFor: "203.0.113.9").refusal(Self.right) == .limitAttempts)
        }
    }

    @Test func `a known address changes its password beyond the failures of the account`() async throws {
        try await Self.withGuessers { maker in
            let ada = try await maker(forwardedFor: "203.0.113.1")
            #expect(try await ada.refusal(Self.right) == nil)
            var change = WireChangePassword()
            change.oldPassword = "correct horse battery"
            change.newPassword = "staple battery horse"
            #expect(try await ada.refusal(.changePassword(change)) == nil)
        }
    }
}
