import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct AddressRangeTests {
    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "/8", "10.0.0.1/8", "2001:db8::/129",
        "2001:db8::1/64", "10.0.0", "localhost", "fe80::%eth0/64", "10.0.0.0/ 8", "10.0.0.0/+8", "[::1]",
    ])
    func `rejects an invalid range`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("192.0.2.7", "192.0.2.7"), ("192.0.2.7/32", "192.0.2.7"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("2001:DB8:0::/32", "2001:db8::/32"), ("::1", "::1"), ("::/0", "::/0"), ("::ffff:10.0.0.0/8", "10.0.0.0/8"),
    ])
    func `writes a range in the shortest form and reads it back`(_ text: String, _ written: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.description == written)
        #expect(AddressRange(written) == range)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "9.255.255.255", false),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.128", true),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "192.0.2.7", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ("::1", "::1", true), ("::1", "::2", false), ("fe80::/10", "fe80::1%eth0", true),
    ])
    func `an address is in a range or not`(_ range: String, _ address: String, _ isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(try #require(IPNumber(address))) == isIn)
    }

    @Test(arguments: [
        ("", 0), ("10.0.0.0/8", 1), (" 10.0.0.0/8 , ::1 ", 2), ("10.0.0.0/8,10.0.0.0/8", -1), ("10.0.0.0/8,", -1),
        (",", -1), ("10.0.0.0/8 ::1", -1), ("proxy.example", -1), ("::ffff:10.0.0.1,10.0.0.1", -1),
    ])
    func `reads a list of networks completely or rejects it`(_ text: String, _ count: Int) {
        #expect(NetworkText.parse(text)?.count ?? -1 == count)
    }
}
