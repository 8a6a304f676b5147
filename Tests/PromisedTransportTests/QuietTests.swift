import Foundation
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import Testing

/// Idle connections, and peers that vanish.
@Suite(.tags(.realTime), .timeLimit(.minutes(6)))
struct QuietTests {
    struct Pace: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var server: WebSocketServerConfiguration
        var client: ClientConfiguration
        /// Arguments of the outside implementation.
        var outside: [String]
        /// How many silences pass, one after the other.
        var silences: Int

        /// With a short silence, in which the outside implementation sends no pings.
        static let brief = make("brief", outside: ["--ping", "0"]) { timing in
            timing.silence = .milliseconds(1_200)
            timing.close = .milliseconds(100)
            timing.resolution = .milliseconds(20)
            if timing.ping != nil { timing.ping = .milliseconds(400) }
        }

        /// The same, with pings from the outside implementation that need an answer.
        static let pinged = Pace(
            testDescription: "pinged",
            server: brief.server,
            client: brief.client,
            outside: ["--ping", "0.4", "--patience", "0.8"],
            silences: 2
        )

        /// With all default times, for three minutes.
        static let real = make("real time", outside: [], silences: 4) { _ in }

        /// The tested paces: the real one on the environment's request (scripts/torture quiet).
        static let all =
            ProcessInfo.processInfo.environment["PROMISED_REAL_TIME"] == nil ? [brief, pinged] : [brief, pinged, real]

        private static func make(
            _ name: String,
            outside: [String],
            silences: Int = 2,
            _ change: (inout ConnectionTiming) -> Void
        ) -> Pace {
            var server = WebSocketServerConfiguration(subprotocols: offered)
            var client = ClientConfiguration()
            change(&server.timing)
            change(&client.timing)
            // There are no sign-ins here.
            server.timing.admission = nil
            return Pace(testDescription: name, server: server, client: client, outside: outside, silences: silences)
        }
    }

    /// Waits until each of several vanished servers would have been abandoned in turn.
    private func waitOut(_ silences: Int, _ running: RunningServer) async throws {
        for _ in 0..<silences {
            let relay = try Relay(to: running.address)
            let connection = try await running.connect(through: relay)
            relay.loseAll()
            #expect(await connection.end() == .byThisEnd(code: 4003))
        }
    }

    // MARK: - Staying

    @Test(
        .proves("4003"),
        arguments: [
            (nil, nil), (.milliseconds(400), nil), (nil, .milliseconds(400)), (.milliseconds(400), .milliseconds(400)),
        ] as [(Duration?, Duration?)]
    )
    func `an idle connection stays open, with pings from either end`(
        _ serverPing: Duration?,
        _ clientPing: Duration?
    ) async throws {
        var pace = Pace.brief
        pace.server.timing.ping = serverPing
        pace.client.timing.ping = clientPing
        try await withServer(pace.server, client: pace.client) { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            try await waitOut(pace.silences, running)
            running.server.send(Payload("there?"), to: [id])
            #expect(await connection.nextMessage() == Array("there?".utf8))
            connection.send(Array("here".utf8), isText: true)
            await running.handler.events.wait { !$0.messages.isEmpty }
            #expect(!running.handler.events.all.closedIDs.contains(id))
        }
    }

    @Test(.enabled(if: TestCertificate.canBeMade, "the openssl command is not installed"))
    func `an idle connection stays open over TLS`() async throws {
        let made = try TestCertificate()
        var pace = Pace.brief
        pace.server.certificate = try TLSCertificate(certificate: made.certificate, key: made.key)
        pace.client.authoritiesFile = made.certificate
        try await withServer(pace.server, client: pace.client) { running in
            var request = ClientRequest(host: "localhost", port: running.address.port, subprotocols: ["test.text"])
            request.usesTLS = true
            let connection = try await running.client.connect(request)
            let id = try await running.handler.opened()
            for _ in 0..<pace.silences {
                let relay = try Relay(to: running.address)
                request.port = relay.address.port
                let other = try await running.client.connect(request)
                relay.loseAll()
                #expect(await other.end() == .byThisEnd(code: 4003))
            }
            running.server.send(Payload("there?"), to: [id])
            #expect(await connection.nextMessage() == Array("there?".utf8))
        }
    }

    @Test(.proves("4003"), .enabled(if: OutsidePeer.isInstalled, OutsidePeer.absence), arguments: Pace.all)
    func `an idle connection stays open with an outside implementation`(_ pace: Pace) async throws {
        try await withServer(pace.server, client: pace.client) { running in
            let ours = try await running.connect()
            let oursID = try await running.handler.opened(0)
            let guest = try OutsidePeer(connectingTo: running.address, pace.outside)
            let guestID = try await running.handler.opened(1)
            let outside = try OutsidePeer(pace.outside)
            let outsideAddress = try await outside.address()
            let abroad = try await running.client.connect(
                ClientRequest(host: outsideAddress.host, port: outsideAddress.port)
            )
            let stranger = try OutsidePeer(connectingTo: outsideAddress, pace.outside)
            await stranger.told.wait { $0.contains("opened") }
            try await waitOut(pace.silences, running)

            running.server.send(Payload("from our server"), to: [oursID, guestID])
            #expect(await ours.nextMessage() == Array("from our server".utf8))
            await guest.told.wait { $0.contains("heard from our server") }
            ours.send(Array("from our client".utf8), isText: true)
            try guest.say("from the outside client")
            let heard = await running.handler.events.wait { $0.messages.count == 2 }.messages
            #expect(Set(heard) == [Array("from our client".utf8), Array("from the outside client".utf8)])

            try outside.say("from the outside server")
            #expect(await abroad.nextMessage() == Array("from the outside server".utf8))
            await stranger.told.wait { $0.contains("heard from the outside server") }
            abroad.send(Array("from our client".utf8), isText: true)
            try stranger.say("from the outside client")
            let lines = await outside.told.wait { $0.count(where: { $0.hasPrefix("heard ") }) == 2 }
            #expect(lines.suffix(2).sorted() == ["heard from our client", "heard from the outside client"])

            #expect(Set([oursID, guestID]).isDisjoint(with: running.handler.events.all.closedIDs))
            for peer in [guest, outside, stranger] {
                #expect(!peer.told.all.contains { $0.hasPrefix("closed") })
            }
        }
    }

    // MARK: - Vanished peers

    @Test(.proves("4003")) func `both ends abandon a dead connection within the configured time`() async throws {
        let pace = Pace.brief
        try await withServer(pace.server, client: pace.client) { running in
            let relay = try Relay(to: running.address)
            let connection = try await running.connect(through: relay)
            let id = try await running.handler.opened()
            let began = ContinuousClock.now
            relay.loseAll()
            #expect(await connection.end() == .byThisEnd(code: 4003))
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4003))
            // From the last received data: a pong, half a second ago at most.
            let elapsed = ContinuousClock.now - began
            #expect(elapsed > .milliseconds(600))
            // The silence, checked once in each resolution, and a second of a busy machine.
            let timing = pace.client.timing
            let silence = try #require(timing.silence)
            #expect(elapsed < silence + timing.resolution + timing.close + .seconds(1), "\(elapsed)")
        }
    }

    @Test func `messages to a dead connection do not delay its end`() async throws {
        let pace = Pace.brief
        try await withServer(pace.server, client: pace.client) { running in
            let relay = try Relay(to: running.address)
            let connection = try await running.connect(through: relay)
            let id = try await running.handler.opened()
            relay.loseAll()
            for _ in 0..<100 {
                connection.send(Array("lost".utf8), isText: true)
                running.server.send(Payload("lost"), to: [id])
            }
            #expect(await connection.end() == .byThisEnd(code: 4003))
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4003))
            #expect(running.handler.events.all.messages.isEmpty)
        }
    }

    @Test(.enabled(if: OutsidePeer.isInstalled, OutsidePeer.absence))
    func `both ends abandon a suspended outside implementation`() async throws {
        let pace = Pace.brief
        try await withServer(pace.server, client: pace.client) { running in
            let guest = try OutsidePeer(connectingTo: running.address, pace.outside)
            let id = try await running.handler.opened()
            let outside = try OutsidePeer(pace.outside)
            let address = try await outside.address()
            let abroad = try await running.client.connect(ClientRequest(host: address.host, port: address.port))
            guest.freeze()
            outside.freeze()
            #expect(try await running.handler.cause(of: id) == .byThisEnd(code: 4003))
            #expect(await abroad.end() == .byThisEnd(code: 4003))
        }
    }
}

extension RunningServer {
    /// A connection to it through `relay`.
    fileprivate func connect(through relay: Relay) async throws(TransportError) -> ClientConnection {
        var request = request()
        request.host = relay.address.host
        request.port = relay.address.port
        return try await client.connect(request)
    }
}
