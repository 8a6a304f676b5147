import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

@Suite struct SignInThrottleTests {
    private let start = ContinuousClock.now
    private let here = ThrottleAddress("192.0.2.1")
    private var throttle = SignInThrottle(ServerSettings().throttle)

    /// Fails `count` sign-ins and expects that each had a place.
    private mutating func fail(_ count: Int, account: (Int) -> String, address: (Int) -> ThrottleAddress) {
        for index in 0..<count {
            let answer = throttle.reserve(account: account(index), address: address(index), at: start)
            guard case .reserved = answer else {
                Issue.record("\(index): \(answer)")
                return
            }
        }
    }

    private static func address(_ number: Int) -> ThrottleAddress {
        ThrottleAddress("198.51.\(number / 200).\(number % 200)")
    }

    @Test(.proves("2.6", "limit.attempts")) mutating func `allows ten failures of one address on one account`() {
        fail(10, account: { _ in "a" }, address: { [here] _ in here })
        let refused = SignInThrottle.Answer.refused(retryAfter: .seconds(900))
        #expect(throttle.reserve(account: "a", address: here, at: start) == refused)
        // Another account from here and the same account from elsewhere are not limited.
        fail(1, account: { _ in "b" }, address: { [here] _ in here })
        fail(1, account: { _ in "a" }, address: Self.address)
        let later = throttle.reserve(account: "a", address: here, at: start + .milliseconds(899_999))
        #expect(later == .refused(retryAfter: .milliseconds(1)))
        guard case .reserved = throttle.reserve(account: "a", address: here, at: start + .seconds(900)) else {
            Issue.record("still refused")
            return
        }
    }

    @Test mutating func `an exhausted address waits before its account is known`() {
        fail(29, account: { "\($0)" }, address: { [here] _ in here })
        #expect(throttle.wait(of: here, at: start) == nil)
        fail(1, account: { _ in "last" }, address: { [here] _ in here })
        #expect(throttle.wait(of: here, at: start) == .seconds(900))
        #expect(throttle.wait(of: here, at: start + .seconds(900)) == nil)
        #expect(throttle.wait(of: ThrottleAddress("127.0.0.1"), at: start) == nil)
    }

    @Test(.proves("2.6"), .defends("guessed-passwords"))
    mutating
        func `allows a hundred failures on one account from all addresses`()
    {
        fail(100, account: { _ in "a" }, address: Self.address)
        let answer = throttle.reserve(account: "a", address: here, at: start + .seconds(60))
        #expect(answer == .refused(retryAfter: .seconds(840)))
        // Loopback is no exception to a limit on an account.
        let local = throttle.reserve(account: "a", address: ThrottleAddress("::1"), at: start)
        #expect(local == .refused(retryAfter: .seconds(900)))
    }

    @Test(.proves("2.6")) mutating func `allows thirty failures of one address on all accounts`() {
        fail(30, account: { "account \($0)" }, address: { [here] _ in here })
        let answer = throttle.reserve(account: "new", address: here, at: start)
        #expect(answer == .refused(retryAfter: .seconds(900)))
        fail(1, account: { _ in "new" }, address: Self.address)
    }

    @Test mutating func `loopback has no limit, but its pairs with accounts do`() {
        let local = ThrottleAddress("127.0.0.1")
        fail(300, account: { "account \($0)" }, address: { _ in local })
        fail(9, account: { _ in "account 0" }, address: { _ in local })
        #expect(
            throttle.reserve(account: "account 0", address: local, at: start) == .refused(retryAfter: .seconds(900))
        )
    }

    @Test(.proves("2.6")) mutating func `successes leave no trace`() {
        for _ in 0..<200 {
            guard case .reserved(let place) = throttle.reserve(account: "a", address: here, at: start) else {
                Issue.record("refused")
                return
            }
            throttle.giveBack(place)
        }
    }

    @Test mutating func `counts pending sign-ins`() {
        var places: [SignInThrottle.Reservation] = []
        for _ in 0..<10 {
            if case .reserved(let place) = throttle.reserve(account: "a", address: here, at: start) {
                places.append(place)
            }
        }
        #expect(places.count == 10)
        #expect(throttle.reserve(account: "a", address: here, at: start) == .refused(retryAfter: .seconds(900)))
        throttle.giveBack(places[0])
        fail(1, account: { _ in "a" }, address: { [here] _ in here })
        #expect(throttle.reserve(account: "a", address: here, at: start) == .refused(retryAfter: .seconds(900)))
    }

    @Test mutating func `a rejected sign-in counts nowhere`() {
        fail(10, account: { _ in "a" }, address: { [here] _ in here })
        for _ in 0..<50 { _ = throttle.reserve(account: "a", address: here, at: start) }
        // 10 of 30 of the address are taken.
        fail(20, account: { "account \($0)" }, address: { [here] _ in here })
    }

    @Test(.proves("2.6")) mutating func `an unchecked password counts half`() {
        for _ in 0..<19 {
            guard case .reserved(let place) = throttle.reserve(account: "a", address: here, at: start) else {
                Issue.record("refused")
                return
            }
            throttle.halve(place, at: start)
        }
        // Nine and a half of ten, then ten and a half.
        fail(1, account: { _ in "a" }, address: { [here] _ in here })
        #expect(throttle.reserve(account: "a", address: here, at: start) == .refused(retryAfter: .seconds(900)))
    }

    /// Turns sign-ins away before their passwords are checked, as a full queue does.
    private mutating func turnAway(_ count: Int, account: String, address: (Int) -> ThrottleAddress) {
        for index in 0..<count {
            guard case .reserved(let place) = throttle.reserve(account: account, address: address(index), at: start)
            else {
                Issue.record("\(index): refused")
                return
            }
            throttle.halve(place, at: start)
        }
    }

    @Test(.proves("2.6")) mutating func `an unchecked password counts for no account`() {
        turnAway(5_000, account: "a", address: { ThrottleAddress("198.51.\($0 / 200).\($0 % 200)") })
        fail(100, account: { _ in "a" }, address: { ThrottleAddress("203.0.\($0 / 200).\($0 % 200)") })
        #expect(throttle.reserve(account: "a", address: here, at: start) == .refused(retryAfter: .seconds(900)))
    }

    @Test(.proves("2.6"))
    mutating
        func `an unchecked password counts half for its address, for any account`()
    {
        for number in 0..<59 { turnAway(1, account: "account \(number)", address: { [here] _ in here }) }
        #expect(throttle.wait(of: here, at: start) == nil)
        turnAway(1, account: "last", address: { [here] _ in here })
        #expect(throttle.wait(of: here, at: start) == .seconds(900))
    }

    @Test(.proves("2.6")) mutating func `an unchecked password counts for no network`() {
        // 2,000 addresses of one /56, which has 120 failures.
        turnAway(2_000, account: "a", address: { ThrottleAddress("2001:db8:0:\(String($0 % 250, radix: 16))::1") })
        #expect(throttle.wait(of: ThrottleAddress("2001:db8:0:ff::1"), at: start) == nil)
        #expect(throttle.wait(of: ThrottleAddress("2001:db8:0:fff::1"), at: start) == nil)
        fail(1, account: { _ in "b" }, address: { _ in ThrottleAddress("2001:db8:0:ff::1") })
    }

    @Test mutating func `the next attempt has the number of failures, without pending ones`() throws {
        func place(_ address: ThrottleAddress) throws -> SignInThrottle.Reservation {
            guard case .reserved(let place) = throttle.reserve(account: "a", address: address, at: start) else {
                throw CancellationError()
            }
            return place
        }
        let first = try place(here)
        let second = try place(here)
        #expect(first.failures == 0 && second.failures == 0)
        throttle.fail(first, at: start)
        throttle.halve(second, at: start)
        #expect(try place(here).failures == 3)
        #expect(try place(ThrottleAddress("192.0.2.2")).failures == 0)
        #expect(throttle.failures(of: here, at: start + .seconds(900)) == 0)
        // Loopback addresses never have any.
        let local = ThrottleAddress("::1")
        throttle.fail(try place(local), at: start)
        #expect(throttle.failures(of: local, at: start) == 0)
    }

    // MARK: - Known callers

    private static let phone = CallerDigest(.device, [UInt8](repeating: 1, count: 32))
    private static let home = CallerDigest(.address, [UInt8](repeating: 2, count: 32))

    /// Reserves places for an account that knows the caller. Returns how many it got, and the wait after them.
    private mutating func places(
        _ known: [CallerDigest],
        from address: ThrottleAddress
    ) -> (count: Int, wait: Duration?) {
        for count in 0..<50 {
            let answer = throttle.reserve(account: "a", address: address, known: known, at: start)
            if case .refused(let wait) = answer { return (count, wait) }
        }
        return (50, nil)
    }

    @Test(.proves("2.19")) mutating func `allows a known address ten failures beyond the account's hundred`() {
        fail(100, account: { _ in "a" }, address: Self.address)
        #expect(throttle.reserve(account: "a", address: here, at: start) == .refused(retryAfter: .seconds(900)))
        #expect(places([Self.home], from: here) == (10, .seconds(900)))
        // The device is also known, and has its own places.
        #expect(places([Self.home, Self.phone], from: here) == (10, .seconds(900)))
    }

    @Test(.proves("2.19")) mutating func `allows a known address no more failures than another`() {
        fail(30, account: { "account \($0)" }, address: { [here] _ in here })
        #expect(places([Self.home], from: here) == (0, .seconds(900)))
    }

    @Test(.proves("2.19"))
    mutating
        func `allows a known device ten failures, whatever those of its address and account`()
    {
        fail(100, account: { _ in "a" }, address: Self.address)
        fail(30, account: { "account \($0)" }, address: { [here] _ in here })
        #expect(places([Self.phone], from: here) == (10, .seconds(900)))
        // Elsewhere, too.
        #expect(places([Self.phone], from: ThrottleAddress("203.0.113.9")) == (0, .seconds(900)))
    }

    @Test(.proves("2.19")) mutating func `counts failures of a known device for its account and address`() {
        #expect(places([Self.phone], from: here).count == 10)
        fail(90, account: { _ in "a" }, address: Self.address)
        let elsewhere = ThrottleAddress("203.0.113.9")
        #expect(throttle.reserve(account: "a", address: elsewhere, at: start) == .refused(retryAfter: .seconds(900)))
        fail(20, account: { "account \($0)" }, address: { [here] _ in here })
        #expect(throttle.wait(of: here, at: start) == .seconds(900))
    }

    @Test(.proves("2.6"), .defends("guessed-passwords"))
    mutating
        func `allows an IPv6 network of 56 bits 120 failures, one of 48 bits 480`()
    {
        fail(120, account: { "account \($0)" }, address: { ThrottleAddress("2001:db8:0:\(String($0, radix: 16))::1") })
        let same = ThrottleAddress("2001:db8:0:ff::1")
        #expect(throttle.reserve(account: "new", address: same, at: start) == .refused(retryAfter: .seconds(900)))
        // Three more in the /48 do the same.
        for number in 1...3 {
            fail(
                120,
                account: { "account \(number) \($0)" },
                address: { ThrottleAddress("2001:db8:0:\(String(number * 256 + $0, radix: 16))::1") }
            )
        }
        let other = ThrottleAddress("2001:db8:0:ff00::1")
        #expect(throttle.reserve(account: "new", address: other, at: start) == .refused(retryAfter: .seconds(900)))
        fail(1, account: { _ in "new" }, address: { _ in ThrottleAddress("2001:db8:1::1") })
    }
}
