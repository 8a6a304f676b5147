import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import PromisedWebSocketTransport
import PromisedWire
import SwiftProtobuf
import Testing

/// The client over a real socket.
@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct SocketTests {
    /// Runs a test against a small server and its client, and ends both.
    private func withServer(
        _ codec: WireCodec,
        silence: Duration = .seconds(45),
        _ body: (PromisedClient, ClockServer, ListeningAddress) async throws -> Void
    ) async throws {
        let server = ClockServer(codec: codec)
        let address = try await server.start()
        var settings = ClientSettings(
            address: ServerAddress(host: address.host, port: address.port),
            codec: codec
        )
        settings.backoff = Backoff(first: .milliseconds(10), longest: .milliseconds(10))
        settings.silence = silence
        let client = PromisedClient(settings: settings, transport: WebSocketTransport(log: quiet), log: quiet)
        async let running: Void = client.run()
        let result: Result<Void, any Error>
        do {
            try await body(client, server, address)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.close()
        await running
        await server.stop()
        try result.get()
    }

    private func checkClock(_ client: PromisedClient, uptime: Double) async throws {
        let request = WireSyncClock.with { $0.uptimeMs = uptime }
        let clock = try await client.syncClock(request)
        #expect(clock.uptimeMs == uptime)
        #expect(try Instant(wire: clock.receivedAt, field: "receivedAt") == ClockServer.shown)
    }

    @Test(arguments: WireCodec.allCases)
    func `calls, refusals and a lost connection over a socket`(_ codec: WireCodec) async throws {
        try await withServer(codec) { client, server, _ in
            let first = try await server.opened.next()
            try await checkClock(client, uptime: 1.5)
            let refused = await outcome { () async throws(ClientError) in try await client.getPromise("p") }
            #expect(refused == .failure(.refused(WireErrorReply(.authRequired))))
            server.close(first, CloseCode.draining.rawValue)
            let second = try await server.opened.next()
            try await checkClock(client, uptime: 2.5)
            server.close(second, CloseCode.accountGone.rawValue)
            var notices: [ClientNotice] = []
            for await notice in client.notices { notices.append(notice) }
            #expect(
                notices == [
                    .connected, .disconnected(code: 4_001, willReconnect: true),
                    .connected, .disconnected(code: 4_505, willReconnect: false),
                ]
            )
        }
    }

    @Test(.proves("4003"))
    func `a quiet client stays online, and reconnects after its server vanishes`() async throws {
        try await withServer(.json, silence: .seconds(1)) { client, _, address in
            try await checkClock(client, uptime: 1.5)
            let relay = try Relay(to: address)
            var settings = ClientSettings(address: ServerAddress(host: relay.address.host, port: relay.address.port))
            settings.silence = .seconds(1)
            let other = PromisedClient(settings: settings, transport: WebSocketTransport(log: quiet), log: quiet)
            async let running: Void = other.run()
            var notices = other.notices.makeAsyncIterator()
            #expect(await notices.next() == .connected)
            relay.loseAll()
            // Several silences of the first client, including three seconds for closing.
            #expect(await notices.next() == .disconnected(code: CloseCode.silent.rawValue, willReconnect: true))
            await other.close()
            await running
            try await checkClock(client, uptime: 2.5)
            #expect(await client.connectionCount == 1)
        }
    }

    @Test(.proves("syncClock")) func `the server's clock is estimated from two exchanges`() async throws {
        try await withServer(.json) { client, _, _ in
            let estimate = try await client.estimateServerClock()
            // The clock is stopped, which is the slowest estimate.
            #expect(estimate.rate == 0.001)
            let shown = Double(ClockServer.shown.milliseconds) / 1_000
            #expect(estimate.now.timeIntervalSince1970 - shown < 1)
        }
    }
}

/// Logs nothing.
let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// How a call ends.
func outcome<Reply: Sendable>(
    of call: () async throws(ClientError) -> Reply
) async -> Result<Reply, ClientError> {
    do throws(ClientError) {
        return .success(try await call())
    } catch {
        return .failure(error)
    }
}
