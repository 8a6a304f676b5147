import PromisedTestMarks
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

@Suite struct AddressThrottleTests {
    private let start = ContinuousClock.now
    private let limits = ServerSettings().throttle

    @Test(.proves("2.5")) func `allows an address 50 handshakes in a second`() {
        var throttle = AddressThrottle.handshakes(limits)
        let address = ThrottleAddress("192.0.2.1")
        for _ in 0..<50 { #expect(throttle.attempt(from: address, at: start) == nil) }
        #expect(throttle.attempt(from: address, at: start + .milliseconds(999)) == .milliseconds(1))
        #expect(throttle.attempt(from: address, at: start + .seconds(1)) == nil)
    }

    @Test(.proves("2.5", "limit.attempts")) func `allows an address 20 sign-ups in an hour, loopback any number`() {
        var throttle = AddressThrottle.signUps(limits)
        let address = ThrottleAddress("192.0.2.1")
        for _ in 0..<20 { #expect(throttle.attempt(from: address, at: start) == nil) }
        #expect(throttle.attempt(from: address, at: start) == .seconds(3_600))
        for _ in 0..<100 { #expect(throttle.attempt(from: ThrottleAddress("127.0.0.1"), at: start) == nil) }
    }

    /// Addresses `2001:db8:0:N::1`: N in hexadecimal.
    private static func sixth(_ number: Int) -> ThrottleAddress {
        ThrottleAddress("2001:db8:0:\(String(number, radix: 16))::1")
    }

    @Test(.proves("2.5")) func `allows a network of 56 bits four times as many as an address`() {
        var throttle = AddressThrottle(limit: 2, window: .seconds(60), limits)
        // Eight attempts from eight addresses of one /56, then none from its other addresses.
        for number in 0..<7 { #expect(throttle.attempt(from: Self.sixth(number), at: start) == nil) }
        #expect(throttle.wait(of: Self.sixth(7), at: start) == nil)
        #expect(throttle.attempt(from: Self.sixth(7), at: start) == nil)
        #expect(throttle.attempt(from: Self.sixth(8), at: start) == .seconds(60))
        // The neighbouring /56 has its own.
        #expect(throttle.attempt(from: Self.sixth(0x100), at: start) == nil)
    }

    @Test(.proves("2.5"), .defends("connection-churn"))
    func `allows a network of 48 bits sixteen times as many as an address`() {
        var throttle = AddressThrottle(limit: 2, window: .seconds(60), limits)
        for number in 0..<31 { #expect(throttle.attempt(from: Self.sixth(number * 0x100), at: start) == nil) }
        #expect(throttle.wait(of: Self.sixth(31 * 0x100), at: start) == nil)
        #expect(throttle.attempt(from: Self.sixth(31 * 0x100), at: start) == nil)
        #expect(throttle.attempt(from: Self.sixth(32 * 0x100), at: start) == .seconds(60))
        #expect(throttle.attempt(from: ThrottleAddress("2001:db8:1::1"), at: start) == nil)
        // Addresses of IPv4 share no limit.
        for number in 0..<200 {
            #expect(throttle.attempt(from: ThrottleAddress("192.0.2.\(number)"), at: start) == nil)
        }
    }

    @Test func `a cancelled attempt is also removed from the networks`() {
        var throttle = AddressThrottle(limit: 1, window: .seconds(60), limits)
        for number in 0..<100 {
            #expect(throttle.attempt(from: Self.sixth(number), at: start) == nil)
            throttle.takeBack(Self.sixth(number), countedAt: start)
        }
    }
}
