import PromisedTestMarks
import Testing

@testable import PromisedSettings

@Suite struct ThrottleAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "::ffff:192.0.2.1"), ("2001:db8::1", "2001:db8::ffff:1"), ("2001:db8::1", "2001:0DB8:0:0:1::"),
        ("fe80::1%eth0", "fe80::1"), ("nonsense", "nonsense"),
    ])
    func `treats these as one`(one: String, other: String) {
        #expect(ThrottleAddress(one) == ThrottleAddress(other))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1"), ("nonsense", "other"), ("", "0.0.0.0"),
        ("192.0.2.1", "192.0.2.01"),
    ])
    func `treats these as two`(one: String, other: String) {
        #expect(ThrottleAddress(one) != ThrottleAddress(other))
    }

    @Test(
        .proves("2.5"),
        arguments: [
            ("127.0.0.1", true), ("127.255.1.2", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
            ("::2", false), ("::", false), ("0.0.0.0", false), ("localhost", false), ("192.0.2.1", false), ("", false),
        ]
    )
    func `recognizes loopback`(text: String, isLoopback: Bool) {
        #expect(ThrottleAddress(text).isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.255", true), ("192.0.2.1", "192.0.3.1", false),
        ("2001:db8:0:ffff::1", "2001:db8::1", true), ("2001:db8:1::1", "2001:db8::1", false),
        ("nonsense", "nonsense", true), ("nonsense", "other", false),
    ])
    func `groups 24 bits of IPv4 and 48 bits of IPv6 as one network`(one: String, other: String, isOne: Bool) {
        #expect((ThrottleAddress(one).network == ThrottleAddress(other).network) == isOne)
    }

    @Test(.proves("2.5")) func `includes the networks around an IPv6 address`() {
        let networks = ThrottleAddress("2001:db8:1:1234::1").withNetworks
        #expect(networks.count == 3 && Set(networks).count == 3)
        #expect(networks[0] == ThrottleAddress("2001:db8:1:1234::2"))
        #expect(networks[1] == ThrottleAddress("2001:db8:1:12ff::").withNetworks[1])
        #expect(networks[1] != ThrottleAddress("2001:db8:1:13ff::").withNetworks[1])
        #expect(networks[2] == ThrottleAddress("2001:db8:1:ffff::").withNetworks[2])
        for text in ["192.0.2.1", "nonsense"] {
            #expect(ThrottleAddress(text).withNetworks == [ThrottleAddress(text)])
        }
    }
}
