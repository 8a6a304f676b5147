import PromisedServer
import Testing

@Suite struct ThrottleAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "::ffff:192.0.2.1"), ("2001:db8::1", "2001:db8::ffff:1"), ("2001:db8::1", "2001:0DB8:0:0:1::"),
        ("fe80::1%eth0", "fe80::1"), ("nonsense", "nonsense"),
    ])
    func `these count as one`(one: String, other: String) {
        #expect(ThrottleAddress(one) == ThrottleAddress(other))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1"), ("nonsense", "other"), ("", "0.0.0.0"),
        ("192.0.2.1", "192.0.2.01"),
    ])
    func `these count as two`(one: String, other: String) {
        #expect(ThrottleAddress(one) != ThrottleAddress(other))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.1.2", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false), ("::", false), ("0.0.0.0", false), ("localhost", false), ("192.0.2.1", false), ("", false),
    ])
    func `loopback is this machine itself`(text: String, isLoopback: Bool) {
        #expect(ThrottleAddress(text).isLoopback == isLoopback)
    }
}
