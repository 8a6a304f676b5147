import Testing

@testable import PromisedServer

@Suite struct ProxyNoticeTests {
    @Test func `reports an untrusted local proxy once`() {
        let notice = ProxyNotice(trustsProxies: false)
        #expect(!notice.isDue(peer: "127.0.0.1", forwardedFor: nil))
        #expect(!notice.isDue(peer: "192.0.2.1", forwardedFor: "203.0.113.9"))
        #expect(notice.isDue(peer: "127.0.0.1", forwardedFor: "203.0.113.9"))
        #expect(!notice.isDue(peer: "::1", forwardedFor: "203.0.113.9"))
        #expect(ProxyNotice(trustsProxies: false).isDue(peer: "::1", forwardedFor: ""))
    }

    @Test func `does not report a trusted proxy`() {
        #expect(!ProxyNotice(trustsProxies: true).isDue(peer: "127.0.0.1", forwardedFor: "203.0.113.9"))
    }
}
