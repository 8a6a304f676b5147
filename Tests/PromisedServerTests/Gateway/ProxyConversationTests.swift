import Logging
import PromisedClient
import PromisedConcurrency
import PromisedProtocol
import PromisedTestMarks
import PromisedTransport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

/// Throttles behind a reverse proxy, over real connections.
@Suite("Behind a reverse proxy", .timeLimit(.minutes(1)))
struct ProxyConversationTests {
    /// How many consecutive handshakes are accepted with a limit of two a second per address.
    private func accepted(
        trusting proxies: String,
        from addresses: [String],
        limits: (inout ServerSettings) -> Void = { $0.throttle.handshakes = 2 }
    ) async throws -> Int {
        let accepted = Guarded(0)
        func configure(_ configuration: inout ServerSettings) {
            limits(&configuration)
            configuration.listen.trustedProxies = [AddressRange(proxies)].compactMap { $0 }
        }
        try await ServerWorld.with(configure: configure) { world in
            let client = WebSocketClient(logger: .silent)
            for address in addresses {
                let request = ClientRequest(
                    host: world.address.host,
                    port: world.address.port,
                    subprotocols: [world.codec.subprotocol],
                    headers: [HTTPHeader("X-Forwarded-For", address)]
                )
                do throws(TransportError) {
                    _ = try await client.connect(request)
                    accepted.withLock { $0 += 1 }
                } catch {
                    #expect(error == .handshakeRefused(status: 429))
                }
            }
            await client.shutdown(timeout: .zero)
        }
        return accepted.withLock { $0 }
    }

    @Test func `limits each client behind a trusted proxy separately`() async throws {
        let addresses = (1...6).map { "203.0.113.\($0)" }
        #expect(try await accepted(trusting: "127.0.0.1", from: addresses) == 6)
    }

    @Test(.defends("forged-forwarding"))
    func `stops one client behind it, with any forged header`() async throws {
        let addresses = (1...6).map { "127.0.0.\($0), 203.0.113.9" }
        #expect(try await accepted(trusting: "127.0.0.1", from: addresses) == 2)
    }

    @Test func `without trust the header changes nothing`() async throws {
        let addresses = Array(repeating: "203.0.113.9", count: 6)
        #expect(try await accepted(trusting: "10.0.0.0/8", from: addresses) == 6)
    }

    @Test(.proves("10.8"), arguments: [63, 64, 65])
    func `allows a client behind it 64 connections without a sign-in`(count: Int) async throws {
        let addresses = Array(repeating: "2001:db8::9", count: count - 1) + ["2001:db8::a"]
        let accepted = try await accepted(trusting: "127.0.0.1", from: addresses) { $0.throttle.handshakes = 1_000 }
        #expect(accepted == min(count, 64))
    }

    /// All peers of a test are on loopback, which is not limited, so this tests the rules themselves with other
    /// addresses.
    @Test(.proves("10.8")) func `counts sockets by address, except those of a proxy`() {
        var settings = ServerSettings()
        settings.listen.trustedProxies = [AddressRange("10.0.0.0/8")].compactMap { $0 }
        let rules = HandshakeRules(settings, log: .silent)
        #expect(rules.source(ofPeer: "10.0.0.1") == nil)
        #expect(rules.source(ofPeer: "11.0.0.1") == [11, 0, 0, 1])
        #expect(rules.source(ofPeer: "127.0.0.1") == nil)
    }

    @Test(.proves("10.8")) func `exempts loopback`() async throws {
        let addresses = Array(repeating: "203.0.113.9", count: 70)
        #expect(try await accepted(trusting: "10.0.0.0/8", from: addresses) == 70)
    }
}
