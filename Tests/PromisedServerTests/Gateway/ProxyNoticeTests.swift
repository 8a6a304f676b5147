import Testing

@testable import PromisedServer

@Suite struct ProxyNoticeTests {
    @Test func `a proxy on this machine that nobody trusts is noticed once`() {
        let notice = ProxyNotice(trustsProxies: false)
        #expect(!notice.isDue(peer: "127.0.0.1", forwardedFor: nil))
        #expect(!notice.isDue(peer: "192.0.2.1", forwardedFor: "203.0.113.9"))
        #expect(notice.isDue(peer: "127.0.0.1", forwardedFor: "203.0.113.9"))
        #expect(!notice.isDue(peer: "::1", forwardedFor: "203.0.113.9"))
        #expect(ProxyNotice(trustsProxies: false).isDue(peer: "::1", forwardedFor: ""))
    }

    @Test func `with a trusted proxy there is nothing to notice`() {
        #expect(!ProxyNotice(trustsProxies: true).isDue(peer: "127.0.0.1", forwardedFor: "203.0.113.9"))
    }
}
