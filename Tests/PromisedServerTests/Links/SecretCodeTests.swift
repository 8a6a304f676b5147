import PromisedDomain
import PromisedProtocol
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@testable import PromisedAccess
@testable import PromisedApplication
@testable import PromisedGateway
@testable import PromisedSettings

/// Codes stored as hashes: their form, their lifetime and the limit on guesses.
@Suite(.timeLimit(.minutes(1)))
struct SecretCodeTests {
    private static let limits = ServerSettings().throttle
    private static let address = ThrottleAddress("203.0.113.7")

    @Test(.defends("guessed-links")) func `a code has 192 random bits and is valid in a fragment`() {
        var generator = SeededGenerator(seed: 1)
        let codes = (0..<200).map { _ in SecretCode(using: &generator) }
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.text.count == 32)
            #expect(code.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            #expect(SecretCode(sent: code.text).hash == code.hash)
            #expect(!"\(code)".contains(code.text))
        }
    }

    @Test(arguments: ["", "x", String(repeating: "x", count: 5_000)])
    func `hashes an invalid code`(text: String) {
        #expect(SecretCode(sent: text).hash.count == 32)
    }

    @Test(arguments: [(95, true), (96, true), (97, false)])
    func `looks up texts of up to 96 bytes and rejects longer ones`(bytes: Int, isLookedUp: Bool) {
        let text = String(repeating: "x", count: bytes)
        #expect(SecretCode(sent: text).text == (isLookedUp ? text : ""))
    }

    @Test(arguments: [(29, true), (30, true), (31, false)])
    func `reads an invite code from up to 40 bytes`(spaces: Int, isRead: Bool) {
        let typed = "ABCDEFGHJK" + String(repeating: " ", count: spaces)
        #expect((InviteCode(typed: typed)?.text == "ABCDEFGHJK") == isRead)
    }

    @Test(.proves("exchangeCode")) func `a sign-in code is valid once, for ten minutes`() {
        let codes = SignInCodes()
        let now = ContinuousClock.now
        let (one, other) = (codes.issue(for: .user(1), at: now), codes.issue(for: .user(2), at: now))
        #expect(codes.use(one, at: now + .seconds(600) - .nanoseconds(1)) == .user(1))
        #expect(codes.use(one, at: now) == nil)
        #expect(codes.use(other, at: now + .seconds(600)) == nil)
        #expect(codes.use(other, at: now) == nil)
    }

    @Test func `removes the oldest of too many sign-in codes`() {
        let codes = SignInCodes()
        let now = ContinuousClock.now
        let all = (0...SignInCodes.capacity).map { codes.issue(for: .user(1), at: now + .milliseconds($0)) }
        #expect(codes.use(all[0], at: now) == nil)
        #expect(codes.use(all[1], at: now) == .user(1))
        #expect(codes.use(all[SignInCodes.capacity], at: now) == .user(1))
    }

    private static func attempt(
        _ attempts: CodeAttempts,
        from address: ThrottleAddress,
        _ refusal: Refusal?
    ) async -> ErrorCode? {
        do {
            try await attempts.trying(by: address) { if let refusal { throw refusal } }
            return nil
        } catch {
            return RequestError(error).code
        }
    }

    @Test func `allows an address as many wrong codes as failed sign-ins`() async {
        let attempts = CodeAttempts(Self.limits)
        for _ in 0..<Self.limits.signInsPerAddress {
            #expect(await Self.attempt(attempts, from: Self.address, nil) == nil)
            #expect(await Self.attempt(attempts, from: Self.address, .viewerLimit) == .limitViewers)
            #expect(await Self.attempt(attempts, from: Self.address, .codeInvalid) == .codeInvalid)
        }
        #expect(await Self.attempt(attempts, from: Self.address, nil) == .limitAttempts)
        #expect(await Self.attempt(attempts, from: ThrottleAddress("203.0.113.8"), .codeInvalid) == .codeInvalid)
    }

    @Test func `exempts loopback from the limit`() async {
        let attempts = CodeAttempts(Self.limits)
        for _ in 0...Self.limits.signInsPerAddress {
            #expect(await Self.attempt(attempts, from: ThrottleAddress("127.0.0.1"), .codeInvalid) == .codeInvalid)
        }
    }
}
