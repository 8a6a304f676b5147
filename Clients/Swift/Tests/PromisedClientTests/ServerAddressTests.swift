import PromisedClient
import Testing

@Suite struct ServerAddressTests {
    struct Good: Sendable {
        let url: String
        let address: ServerAddress

        init(_ url: String, _ host: String, _ port: UInt16, _ path: String = "/ws", tls: Bool = false) {
            self.url = url
            address = ServerAddress(host: host, port: port, path: path, usesTLS: tls)
        }
    }

    @Test(arguments: [
        // Every scheme, with its port.
        Good("ws://meet.example", "meet.example", 80),
        Good("http://meet.example", "meet.example", 80),
        Good("wss://meet.example", "meet.example", 443, tls: true),
        Good("https://meet.example", "meet.example", 443, tls: true),
        Good("WSS://meet.example", "meet.example", 443, tls: true),
        // Ports at their bounds.
        Good("ws://meet.example:1", "meet.example", 1),
        Good("ws://meet.example:8080", "meet.example", 8_080),
        Good("wss://meet.example:65535", "meet.example", 65_535, tls: true),
        // Paths: an empty one and a slash are the default.
        Good("ws://meet.example/", "meet.example", 80),
        Good("ws://meet.example:8080/ws", "meet.example", 8_080),
        Good("ws://meet.example/a/b", "meet.example", 80, "/a/b"),
        Good("ws://meet.example/a:b", "meet.example", 80, "/a:b"),
        // Numeric addresses.
        Good("ws://127.0.0.1:8080/ws", "127.0.0.1", 8_080),
        Good("ws://[::1]", "::1", 80),
        Good("ws://[::1]:8080/x", "::1", 8_080, "/x"),
    ])
    func `a URL has host, port, path and encryption`(_ row: Good) {
        #expect(ServerAddress(row.url) == row.address)
    }

    @Test(arguments: [
        // No scheme, or another one.
        "", "meet.example", "meet.example:80", "//meet.example", "://meet.example", "ftp://meet.example",
        // No host.
        "ws://", "ws:///ws", "ws://:80", "ws://[]:80",
        // Invalid ports.
        "ws://meet.example:", "ws://meet.example:0", "ws://meet.example:65536", "ws://meet.example:-1",
        "ws://meet.example:+80", "ws://meet.example:http", "ws://meet.example:80:80",
        // Brackets in the wrong place, and an address that needs them.
        "ws://[::1", "ws://::1]", "ws://[::1]8080", "ws://[::1]x:80", "ws://::1", "ws://a[b]",
        // Parts that may contain secrets.
        "ws://meet.example/ws?token=x", "ws://meet.example/ws#x", "ws://ann@meet.example", "ws://ann:x@meet.example",
        // Characters that would break out of the request line.
        "ws://meet.example/a b", "ws://meet.example/ws\r\nX: y", "ws://meet.example/ws\nX: y", "ws://meet\t.example",
        "ws://meet.example/\u{7F}",
    ])
    func `rejects other addresses`(_ url: String) {
        #expect(ServerAddress(url) == nil)
    }

    @Test(arguments: [
        ("ws://meet.example", "ws://meet.example:80/ws"),
        ("https://meet.example/x", "wss://meet.example:443/x"),
        ("ws://[::1]:8080", "ws://[::1]:8080/ws"),
    ])
    func `the URL of an address gives the same address`(_ url: String, _ shown: String) throws {
        let address = try #require(ServerAddress(url))
        #expect(address.description == shown)
        #expect(ServerAddress(shown) == address)
    }
}
