import PromisedDomain
import PromisedSettings
import PromisedSimulation
import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite struct KnownCallerTests {
    private static let callers = KnownCallers(key(1))
    private static let secret = "0123456789abcdef012345"

    private static func key(_ seed: UInt64) -> SigningKey {
        var generator = SeededGenerator(seed: seed)
        return SigningKey(using: &generator)
    }

    private static func digests(
        _ address: String,
        _ secret: String = "",
        account: String = "ada@example.org",
        _ callers: KnownCallers = callers
    ) -> [CallerDigest] {
        callers.digests(of: SignInOrigin(ThrottleAddress(address), deviceSecret: secret), for: account)
    }

    @Test func `recognizes a caller by address and by device`() {
        let digests = Self.digests("192.0.2.1", Self.secret)
        #expect(digests.map(\.kind) == [.address, .device])
        #expect(digests.allSatisfy { $0.bytes.count == 32 })
        #expect(digests == Self.digests("::ffff:192.0.2.1", Self.secret))
        #expect(Self.digests("192.0.2.2", Self.secret).last == digests.last)
        #expect(Self.digests("192.0.2.1") == [digests[0]])
        // An IPv6 /64 counts as one address.
        #expect(Self.digests("2001:db8::1") == Self.digests("2001:db8::2"))
    }

    @Test(.proves("2.19")) func `digests differ between accounts, servers, addresses, secrets and kinds`() {
        let all = [
            Self.digests("192.0.2.1", Self.secret), Self.digests("192.0.2.2", Self.secret + "6"),
            Self.digests("192.0.2.1", Self.secret, account: "bob@example.org"),
            Self.digests("192.0.2.1", Self.secret, KnownCallers(Self.key(2))),
        ].flatMap(\.self).map(\.bytes)
        #expect(Set(all).count == 8)
        // A separator follows the account.
        #expect(Self.digests("x", "1" + Self.secret, account: "a") != Self.digests("x", Self.secret, account: "a1"))
    }

    @Test(.proves("2.19")) func `does not recognize loopback by address`() {
        #expect(Self.digests("127.0.0.1").isEmpty && Self.digests("::1").isEmpty)
        #expect(Self.digests("127.0.0.1", Self.secret).map(\.kind) == [.device])
    }

    @Test(.proves("2.19"), arguments: [(1, false), (21, false), (22, true), (128, true), (129, false)])
    func `a secret has 22 to 128 characters`(length: Int, isAllowed: Bool) {
        let secret = String(repeating: "s", count: length)
        let cleaned = try? TextRule.deviceSecret.clean(secret)
        #expect((cleaned == secret) == isAllowed)
        #expect(Self.digests("127.0.0.1", "").isEmpty)
    }

    @Test func `recognizes a caller for 180 days of real time`() {
        let now = Instant(milliseconds: 1_800_000_000_000)
        #expect(KnownCallers.horizon(at: now, rate: 1) == now - .hours(4_320))
        #expect(KnownCallers.horizon(at: now, rate: 60) == now - .hours(60 * 4_320))
    }
}
