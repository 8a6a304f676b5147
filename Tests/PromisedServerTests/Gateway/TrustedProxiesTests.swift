import PromisedTestMarks
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct TrustedProxiesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let peer: String
        let header: String?
        let client: String
        var testDescription: String { "\(peer) for \(header ?? "nobody")" }

        init(_ peer: String, _ header: String?, _ client: String) {
            self.peer = peer
            self.header = header
            self.client = client
        }
    }

    private static let ours = ["10.0.0.0/8", "127.0.0.1", "2001:db8:1::/48"].compactMap { AddressRange($0) }

    @Test(
        .defends("forged-forwarding"),
        arguments: [
            // Not a trusted proxy: the server ignores its header.
            Case("203.0.113.9", nil, "203.0.113.9"),
            Case("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            Case("203.0.113.9", "127.0.0.1", "203.0.113.9"),
            Case("2001:db8:2::1", "198.51.100.1", "2001:db8:2::1"),
            // A proxy of ours.
            Case("10.0.0.1", nil, "10.0.0.1"),
            Case("10.0.0.1", "203.0.113.9", "203.0.113.9"),
            Case("127.0.0.1", " 203.0.113.9 ", "203.0.113.9"),
            Case("2001:db8:1::7", "2001:DB8:9::1", "2001:db8:9::1"),
            Case("10.0.0.1", "2001:db8:9::1", "2001:db8:9::1"),
            Case("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
            // Several of them in a row.
            Case("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"),
            Case("10.0.0.1", "203.0.113.9,10.0.0.2,2001:db8:1::7", "203.0.113.9"),
            Case("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
            // The client sent a part of the header.
            Case("10.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"),
            Case("10.0.0.1", "10.0.0.9, 203.0.113.9", "203.0.113.9"),
            Case("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
            Case("10.0.0.1", "<script>, 203.0.113.9", "203.0.113.9"),
            // Gaps: the last trustworthy address.
            Case("10.0.0.1", "", "10.0.0.1"),
            Case("10.0.0.1", "unknown", "10.0.0.1"),
            Case("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"),
            Case("10.0.0.1", "203.0.113.9, , 10.0.0.2", "10.0.0.2"),
            Case("10.0.0.1", "203.0.113.9,", "10.0.0.1"),
            Case("10.0.0.1", "203.0.113.999", "10.0.0.1"),
            // Ports, as some proxies add them.
            Case("10.0.0.1", "203.0.113.9:51234", "203.0.113.9"),
            Case("10.0.0.1", "[2001:db8:9::1]:51234", "2001:db8:9::1"),
            Case("10.0.0.1", "[2001:db8:9::1]", "2001:db8:9::1"),
            Case("10.0.0.1", "[2001:db8:9::1", "10.0.0.1"),
        ]
    )
    func `the client is the first address not of a trusted proxy`(_ row: Case) {
        #expect(TrustedProxies(Self.ours).client(peer: row.peer, forwardedFor: row.header) == row.client)
    }

    @Test func `trusts no proxy by default`() {
        #expect(TrustedProxies().client(peer: "127.0.0.1", forwardedFor: "203.0.113.9") == "127.0.0.1")
    }
}
