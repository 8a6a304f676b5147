import PromisedTransport
import Testing

struct RequestHeadTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: x\r\nForwarded: for=192.0.2.1\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nforwarded:for=192.0.2.1\r\n\r\n", true),
        ("GET / HTTP/1.1\nFORWARDED: x\n\r\n\r\n", true),
        ("GET /?forwarded: HTTP/1.1\r\nX-Forwarded: x\r\n\r\n", false),
        // The rest of an incomplete head may have it.
        ("GET / HTTP/1.1\r\nHost: x\r\n", true), ("\r\n\r", true), ("", true),
        ("\r\n\r\n\nforwarded", false),
    ])
    func `treats a request with the header, or truncated, as forwarded`(head: String, isForwarded: Bool) {
        #expect(Array(head.utf8).withUnsafeBytes(RequestHead.mayBeForwarded) == isForwarded)
    }
}
