import CoreMetrics
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct MetricsRouteTests {
    private func status(
        from address: String,
        authorization: String? = nil,
        forwardedFor: String? = nil,
        isForwarded: Bool? = nil,
        _ access: MetricsRoute.Access = MetricsRoute.Access()
    ) -> Int {
        let request = HTTPRequest(
            path: "/metrics",
            remoteAddress: address,
            authorization: authorization,
            forwardedFor: forwardedFor,
            isForwarded: isForwarded
        )
        return MetricsRoute(MetricRegistry(), access: access).respond(to: request).status
    }

    @Test(
        .proves("/metrics"),
        .defends("public-metrics"),
        arguments: [
            ("127.0.0.1", 200), ("127.8.9.10", 200), ("::1", 200), ("192.0.2.1", 403), ("10.0.0.1", 403), ("", 403),
            ("localhost", 403),
        ]
    )
    func `serves them only to loopback by default`(_ address: String, _ expected: Int) {
        #expect(status(from: address) == expected)
    }

    @Test(.defends("public-metrics")) func `does not treat a request through a proxy as loopback`() {
        #expect(status(from: "127.0.0.1", forwardedFor: "127.0.0.1") == 403)
        #expect(status(from: "127.0.0.1", forwardedFor: "") == 403)
        #expect(status(from: "::1", isForwarded: true) == 403)
    }

    @Test(arguments: [("10.1.2.3", 200), ("11.0.0.1", 403), ("2001:db8::7", 200), ("2001:db9::", 403)])
    func `serves them to an allowed network`(_ address: String, _ expected: Int) throws {
        let networks = [try #require(AddressRange("10.0.0.0/8")), try #require(AddressRange("2001:db8::/32"))]
        #expect(status(from: address, MetricsRoute.Access(networks: networks)) == expected)
        #expect(status(from: address, forwardedFor: "10.1.2.3", MetricsRoute.Access(networks: networks)) == 403)
    }

    @Test(
        .proves("/metrics"),
        arguments: [
            ("Bearer 0123456789abcdef", 200), ("bearer 0123456789abcdef", 200), ("Bearer 0123456789abcdeF", 401),
            ("Bearer ", 401), ("Basic 0123456789abcdef", 401), ("0123456789abcdef", 401),
            ("Bearer 0123456789abcdef0", 401),
        ]
    )
    func `serves them with the token, also through a proxy`(_ authorization: String, _ expected: Int) {
        let access = MetricsRoute.Access(token: "0123456789abcdef")
        #expect(status(from: "192.0.2.1", authorization: authorization, access) == expected)
        #expect(status(from: "10.0.0.1", authorization: authorization, forwardedFor: "1.2.3.4", access) == expected)
        #expect(status(from: "192.0.2.1", access) == 401)
        #expect(status(from: "127.0.0.1", access) == 200)
    }

    @Test func `serves nothing when disabled`() {
        let access = MetricsRoute.Access(isEnabled: false, token: "0123456789abcdef")
        #expect(status(from: "127.0.0.1", access) == 404)
        #expect(status(from: "127.0.0.1", authorization: "Bearer 0123456789abcdef", access) == 404)
    }

    @Test(arguments: [
        ("0123456789abcdef\n", true), ("0123456789abcdef", true), ("0123456789abcdef\r\n", true), ("short\n", false),
        ("0123456789 abcdef\n", false), ("0123456789abcdé\n", false), ("", false),
    ])
    func `reads a valid token from its file`(_ text: String, _ isFit: Bool) throws {
        let file = try TemporaryFile(text)
        if isFit {
            #expect(try MetricsToken.read(file.path) == "0123456789abcdef")
        } else {
            #expect(throws: StartError.self) { try MetricsToken.read(file.path) }
        }
    }

    @Test func `rejects a start with a missing token file`() {
        #expect(throws: StartError.self) { try MetricsToken.read("/nonexistent/token") }
    }
}
