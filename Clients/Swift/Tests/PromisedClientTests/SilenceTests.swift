import PromisedProtocol
import Testing

@testable import PromisedClient

/// A server that sends nothing, behind a transport that does not ping by itself.
@Suite(.timeLimit(.minutes(1))) struct SilenceTests {
    @Test func `pings a silent server halfway, and disconnects at the end`() async throws {
        try await withSilence(of: .seconds(40)) { client, link, time in
            await time.pass(.seconds(20))
            try await link.pings.next()
            // The pong counts as traffic, so the next ping follows 20 s later.
            time.advance(by: .seconds(10))
            link.toClient.yield(.pong)
            try await client.heard(at: time.uptime)
            time.advance(by: .seconds(10))
            await time.pass(.seconds(10))
            try await link.pings.next()
            await time.pass(.seconds(20))
        }
    }

    @Test func `a device that slept longer than the silence pings before it disconnects`() async throws {
        try await withSilence(of: .seconds(40)) { _, link, time in
            await time.sleeper(for: .seconds(20))
            time.advance(by: .seconds(3_600))
            try await link.pings.next()
            await time.pass(.seconds(20))
        }
    }

    /// Runs a test with a client and its first connection, and expects that the client closes it.
    private func withSilence(
        of silence: Duration,
        _ body: (PromisedClient, PingedLink, TestTime) async throws -> Void
    ) async throws {
        let time = TestTime()
        let transport = PingedTransport()
        var settings = ClientSettings.test
        settings.silence = silence
        let client = PromisedClient(
            settings: settings,
            transport: transport,
            generator: SeededGenerator(seed: 1),
            time: time,
            log: quiet
        )
        async let running: Void = client.run()
        var notices = client.notices.makeAsyncIterator()
        #expect(await notices.next(isolation: #isolation) == .connected)
        try await body(client, try await transport.links.next(), time)
        #expect(
            await notices.next(isolation: #isolation)
                == .disconnected(code: CloseCode.silent.rawValue, willReconnect: true)
        )
        await client.close()
        await running
    }
}

extension PromisedClient {
    /// Waits until the client has received an event that arrived at this time.
    fileprivate func heard(at moment: Duration) async throws {
        while silence.heardAt != moment {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

private final class PingedTransport: ClientTransport {
    let links = Mailbox<PingedLink>()

    func connect(_ request: LinkRequest) async throws -> PingedLink {
        let link = PingedLink()
        links.put(link)
        return link
    }

    func shutDown() async {}
}

private final class PingedLink: ClientLink {
    let incoming: AsyncStream<LinkEvent>
    let toClient: AsyncStream<LinkEvent>.Continuation
    let pings = Mailbox<Void>()

    init() {
        (incoming, toClient) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func send(_ bytes: [UInt8]) {}

    func close(code: UInt16) {
        toClient.yield(.closed(code: code))
        toClient.finish()
    }

    var watchesSilence: Bool { false }

    func ping() { pings.put(()) }
}
