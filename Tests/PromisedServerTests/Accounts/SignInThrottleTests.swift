import Testing

@testable import PromisedServer

@Suite struct SignInThrottleTests {
    private let start = ContinuousClock.now
    private let here = ThrottleAddress("192.0.2.1")
    private var throttle = SignInThrottle(ServerConfiguration().throttle)

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

    @Test mutating func `ten failures of one address on one account`() {
        fail(10, account: { _ in "a" }, address: { [here] _ in here })
        let refused = SignInThrottle.Answer.refused(retryAfter: .seconds(900))
        #expect(throttle.reserve(account: "a", address: here, at: start) == refused)
        // Another account from here and the same from elsewhere go on.
        fail(1, account: { _ in "b" }, address: { [here] _ in here })
        fail(1, account: { _ in "a" }, address: Self.address)
        let later = throttle.reserve(account: "a", address: here, at: start + .milliseconds(899_999))
        #expect(later == .refused(retryAfter: .milliseconds(1)))
        guard case .reserved = throttle.reserve(account: "a", address: here, at: start + .seconds(900)) else {
            Issue.record("still refused")
            return
        }
    }

    @Test mutating func `a hundred failures on one account from everywhere`() {
        fail(100, account: { _ in "a" }, address: Self.address)
        let answer = throttle.reserve(account: "a", address: here, at: start + .seconds(60))
        #expect(answer == .refused(retryAfter: .seconds(840)))
        // Loopback is no exception to a limit on an account.
        let local = throttle.reserve(account: "a", address: ThrottleAddress("::1"), at: start)
        #expect(local == .refused(retryAfter: .seconds(900)))
    }

    @Test mutating func `thirty failures of one address on all accounts`() {
        fail(30, account: { "account \($0)" }, address: { [here] _ in here })
        let answer = throttle.reserve(account: "new", address: here, at: start)
        #expect(answer == .refused(retryAfter: .seconds(900)))
        fail(1, account: { _ in "new" }, address: Self.address)
    }

    @Test mutating func `loopback has no limit of its own, but pairs count`() {
        let local = ThrottleAddress("127.0.0.1")
        fail(300, account: { "account \($0)" }, address: { _ in local })
        fail(9, account: { _ in "account 0" }, address: { _ in local })
        #expect(
            throttle.reserve(account: "account 0", address: local, at: start) == .refused(retryAfter: .seconds(900))
        )
    }

    @Test mutating func `successes leave no trace`() {
        for _ in 0..<200 {
            guard case .reserved(let place) = throttle.reserve(account: "a", address: here, at: start) else {
                Issue.record("refused")
                return
            }
            throttle.giveBack(place)
        }
    }

    @Test mutating func `sign-ins under way hold their places`() {
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

    @Test mutating func `a refused sign-in takes no place anywhere`() {
        fail(10, account: { _ in "a" }, address: { [here] _ in here })
        for _ in 0..<50 { _ = throttle.reserve(account: "a", address: here, at: start) }
        // 10 of 30 of the address are taken.
        fail(20, account: { "account \($0)" }, address: { [here] _ in here })
    }
}
