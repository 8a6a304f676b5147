import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
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
            try await world.devices { maker async throws in
                _ = try await maker(forwardedFor: "203.0.113.1").signUp("Ada")
                for host in 1...3 {
                    let guesser = try await maker(forwardedFor: "198.18.\(host).1")
                    #expect(try await guesser.refusal(wrong) == .authInvalidCredentials)
                }
                try await body(maker)
            }
        }
    }

    @Test(.proves("2.19"))
    func `admits a known address beyond the account's failures, not another`()
        async throws
    {
        try await Self.withGuessers { maker async throws in
            #expect(try await maker(forwardedFor: "203.0.113.2").refusal(Self.right) == .limitAttempts)
            #expect(try await maker(forwardedFor: "203.0.113.1").refusal(Self.right) == nil)
            // A wrong password from there is rejected, and makes no other address known.
            #expect(try await maker(forwardedFor: "203.0.113.1").refusal(Self.wrong) == .authInvalidCredentials)
            #expect(try await maker(forwardedFor: "198.18.1.1").refusal(Self.right) == .limitAttempts)
        }
    }

    @Test(.proves("2.19"))
    func `recognizes an address only for its account`() async throws {
        try await Self.withGuessers { maker async throws in
            _ = try await maker(forwardedFor: "203.0.113.9").signUp("Bob")
            #expect(try await maker(forwardedFor: "203.0.113.9").refusal(Self.right) == .limitAttempts)
        }
    }

    /// Signs Ada in with the secret of a device. Returns the code of a refusal.
    private static func signIn(
        _ maker: DeviceMaker,
        _ secret: String,
        from address: String,
        _ password: String = "correct horse battery"
    ) async throws -> ErrorCode? {
        var request = WireSignIn.sample("ada@example.org", password)
        request.deviceSecret = secret
        return try await maker(forwardedFor: address).refusal(.signIn(request))
    }

    @Test(.proves("2.19"))
    func `admits a known device from any address, only with its secret`() async throws {
        try await Self.withGuessers { maker async throws in
            let secret = "4f1c9a77d0be4c1e9d5a0f5e8c3b2a10"
            #expect(try await Self.signIn(maker, secret, from: "192.0.2.1") == .limitAttempts)
            // A sign-in at home makes it known to the account.
            #expect(try await Self.signIn(maker, secret, from: "203.0.113.1") == nil)
            #expect(try await Self.signIn(maker, secret, from: "192.0.2.1") == nil)
            #expect(
                try await Self.signIn(maker, secret, from: "192.0.2.2", "wrong password") == .authInvalidCredentials
            )
            #expect(try await Self.signIn(maker, secret + "0", from: "192.0.2.3") == .limitAttempts)
            #expect(try await Self.signIn(maker, "", from: "192.0.2.3") == .limitAttempts)
            // A stranger's secret has no effect, and a short one is rejected.
            #expect(
                try await Self.signIn(maker, String(repeating: "x", count: 128), from: "192.0.2.3") == .limitAttempts
            )
            #expect(
                try await Self.signIn(maker, String(repeating: "x", count: 21), from: "192.0.2.3") == .requestInvalid
            )
        }
    }

    @Test func `a known address can change its password beyond the account's failures`() async throws {
        try await Self.withGuessers { maker async throws in
            let ada = try await maker(forwardedFor: "203.0.113.1")
            #expect(try await ada.refusal(Self.right) == nil)
            var change = WireChangePassword()
            change.oldPassword = "correct horse battery"
            change.newPassword = "staple battery horse"
            #expect(try await ada.refusal(.changePassword(change)) == nil)
        }
    }
}
