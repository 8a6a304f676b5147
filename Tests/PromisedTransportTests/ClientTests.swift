import Logging
import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1)))
struct ClientTests {
    /// Records the events of a client's handler.
    private final class Notes: ClientHandler {
        enum Note: Sendable, Equatable {
            case opened(ConnectionID, String?)
            case received(ConnectionID, [UInt8], Bool)
            case closed(ConnectionID, CloseCause)
        }

        let signals = Signals<Note>()

        func opened(_ id: ConnectionID, subprotocol: String?) { signals.note(.opened(id, subprotocol)) }
        func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) { signals.note(.received(id, bytes, isText)) }
        func closed(_ id: ConnectionID, _ cause: CloseCause) { signals.note(.closed(id, cause)) }
    }

    @Test func `notifies a handler of opening, messages and the end`() async throws {
        try await withServer { running in
            let notes = Notes()
            let id = try await running.client.connect(running.request(["test.binary", "other"]), handler: notes)
            let serverID = try await running.handler.opened()
            running.server.send(Payload([1, 2]), to: [serverID])
            running.client.send([3], isText: false, on: id)
            await running.handler.events.wait { $0.messages == [[3]] }
            await notes.signals.wait { $0.count == 2 }
            running.client.close(id, CloseReason(code: 4000))
            let all = await notes.signals.wait { $0.count == 3 }
            #expect(
                all == [.opened(id, "test.binary"), .received(id, [1, 2], false), .closed(id, .byThisEnd(code: 4000))]
            )
        }
    }

    @Test(arguments: [([], nil), (["test.text"], "test.text"), (["nothing", "test.binary"], "test.binary")])
    func `the client learns the chosen sub-protocol`(_ asked: [String], _ chosen: String?) async throws {
        try await withServer { running in
            let connection = try await running.connect(asked)
            #expect(connection.subprotocol == chosen)
        }
    }

    @Test func `the client sends its headers and omits those that could break the request`() async throws {
        try await withServer { running in
            var request = running.request()
            request.headers = [
                HTTPHeader("Authorization", "Bearer x"), HTTPHeader("A", "b\r\nX-Forwarded-For: 1.2.3.4"),
            ]
            request.origin = "http://\(running.address)"
            _ = try await running.client.connect(request)
            let info = try await running.handler.events.first {
                if case .opened(_, let info) = $0 { info } else { nil }
            }
            #expect(info.authorization == "Bearer x")
            #expect(info.forwardedFor == nil)
            #expect(info.origin == request.origin)
            #expect(info.host == running.address.description)
        }
    }

    @Test func `connects to a host by name`() async throws {
        try await withServer { running in
            var request = running.request()
            request.host = "localhost"
            _ = try await running.client.connect(request)
        }
    }

    // MARK: - Failures

    @Test func `reports a closed port as refused`() async throws {
        let client = WebSocketClient(logger: quiet)
        let server = WebSocketServer(configuration: testConfiguration(), logger: quiet)
        let address = try await server.start(serving: RecordingHandler())
        await server.shutdown()
        let error = await #expect(throws: TransportError.self) {
            try await client.connect(ClientRequest(host: address.host, port: address.port))
        }
        #expect(error == .connectFailed("\(address) refuses connections: no server listens there"))
        await client.shutdown()
    }

    @Test func `reports an unknown host`() async throws {
        let client = WebSocketClient(logger: quiet)
        let error = await #expect(throws: TransportError.self) {
            try await client.connect(ClientRequest(host: "no.such.host.invalid", port: 1))
        }
        guard case .hostNotFound("no.such.host.invalid", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await client.shutdown()
    }

    @Test(arguments: [("/other", 404), ("/ws", 400)])
    func `reports the status of a rejected handshake`(_ path: String, _ status: Int) async throws {
        try await withServer { running in
            var request = running.request(["unknown"])
            request.path = path
            await #expect(throws: TransportError.handshakeRefused(status: status)) {
                try await running.client.connect(request)
            }
        }
    }

    @Test func `times out without an answer`() async throws {
        let mute = try MuteServer()
        var configuration = ClientConfiguration()
        configuration.timing.handshake = .milliseconds(100)
        configuration.timing.resolution = .milliseconds(10)
        let client = WebSocketClient(configuration: configuration, logger: quiet)
        await #expect(throws: TransportError.timedOut) {
            try await client.connect(ClientRequest(host: "127.0.0.1", port: mute.port))
        }
        await client.shutdown()
    }

    @Test func `cancels connecting with the task`() async throws {
        var configuration = ClientConfiguration()
        configuration.timing.handshake = .seconds(600)
        // The library's progress by then is random.
        for _ in 0..<20 {
            let mute = try MuteServer()
            let client = WebSocketClient(configuration: configuration, logger: quiet)
            let connecting = Task { try await client.connect(ClientRequest(host: "127.0.0.1", port: mute.port)) }
            await mute.accepted()
            connecting.cancel()
            await #expect(throws: TransportError.cancelled) { try await connecting.value }
            // The connection is cut too: the end follows the client's messages.
            #expect(try await mute.isAbandoned())
            await client.shutdown()
        }
    }

    @Test func `fails for TLS to a server without it`() async throws {
        try await withServer { running in
            var request = running.request()
            request.usesTLS = true
            let error = await #expect(throws: TransportError.self) { try await running.client.connect(request) }
            guard case .connectFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            // The same client continues without TLS.
            _ = try await running.connect()
        }
    }

    // MARK: - Shutdown

    @Test func `a shutdown closes all connections and rejects later ones`() async throws {
        try await withServer { running in
            var connections: [ClientConnection] = []
            for _ in 0..<10 { connections.append(try await running.connect()) }
            await running.client.shutdown(closing: .normal)
            for connection in connections { #expect(await connection.end() == .byThisEnd(code: 1000)) }
            await #expect(throws: TransportError.notRunning) { try await running.connect() }
            connections[0].send([1], isText: true)
            connections[0].close()
            await running.handler.events.wait { $0.closedIDs.count == 10 }
        }
    }

    @Test func `a shutdown ends pending attempts`() async throws {
        let mute = try MuteServer()
        let client = WebSocketClient(logger: quiet)
        let connecting = Task { try await client.connect(ClientRequest(host: "127.0.0.1", port: mute.port)) }
        await mute.accepted()
        await client.shutdown()
        await #expect(throws: TransportError.notRunning) { try await connecting.value }
    }

    @Test func `many tasks start the client at once`() async throws {
        try await withServer { running in
            try await withThrowingTaskGroup(of: ConnectionID.self) { group in
                for _ in 0..<50 { group.addTask { try await running.connect().id } }
                var ids: Set<ConnectionID> = []
                for try await id in group { ids.insert(id) }
                #expect(ids.count == 50)
            }
        }
    }
}
