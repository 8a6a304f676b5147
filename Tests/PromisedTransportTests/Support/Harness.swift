import Logging
import PromisedTransport
import Testing

/// Logs nothing below errors.
let quiet: Logger = {
    var logger = Logger(label: "tests")
    logger.logLevel = .error
    return logger
}()

/// The sub-protocols the tests offer.
let offered = [Subprotocol(name: "test.text", isText: true), Subprotocol(name: "test.binary", isText: false)]

/// Settings for tests: deadlines are checked often, and connections without a sign-in stay, also on a machine so busy
/// that a test exceeds the usual deadline.
func testConfiguration(
    _ change: (inout WebSocketServerConfiguration) -> Void = { _ in }
) -> WebSocketServerConfiguration {
    var configuration = WebSocketServerConfiguration(subprotocols: offered)
    configuration.timing.resolution = .milliseconds(10)
    configuration.timing.admission = nil
    change(&configuration)
    return configuration
}

/// A running server on a free loopback port.
struct RunningServer: Sendable {
    let server: WebSocketServer
    let handler: RecordingHandler
    let address: ListeningAddress
    let client: WebSocketClient

    func request(_ subprotocols: [String] = ["test.text"]) -> ClientRequest {
        ClientRequest(host: address.host, port: address.port, subprotocols: subprotocols)
    }

    func connect(_ subprotocols: [String] = ["test.text"]) async throws(TransportError) -> ClientConnection {
        try await client.connect(request(subprotocols))
    }
}

/// Runs a test against a server and a client, and shuts both down.
func withServer(
    _ configuration: WebSocketServerConfiguration = testConfiguration(),
    handler: RecordingHandler = RecordingHandler(),
    threads: ServiceThreads = ServiceThreads(count: 1),
    client clientConfiguration: ClientConfiguration = ClientConfiguration(),
    _ body: (RunningServer) async throws -> Void
) async throws {
    let server = WebSocketServer(
        configuration: configuration,
        logger: quiet,
        threads: threads
    )
    let client = WebSocketClient(configuration: clientConfiguration, logger: quiet)
    let address = try await server.start(serving: handler)
    let running = RunningServer(server: server, handler: handler, address: address, client: client)
    let outcome: Result<Void, any Error>
    do {
        try await body(running)
        outcome = .success(())
    } catch {
        outcome = .failure(error)
    }
    await client.shutdown(timeout: .milliseconds(500))
    await server.shutdown(timeout: .milliseconds(500))
    try outcome.get()
}

extension ClientConnection {
    /// The next message; nil when the connection ends.
    func nextMessage() async -> [UInt8]? {
        for await event in incoming {
            if case .message(let bytes, _) = event { return bytes }
            return nil
        }
        return nil
    }

    /// The cause of the connection's end; skips messages.
    func end() async -> CloseCause? {
        for await event in incoming {
            if case .closed(let cause) = event { return cause }
        }
        return nil
    }
}

/// Sends messages together that fit into one packet, need several, or fit into none, and expects them in order at the
/// other end of the only connection.
func sendTogether(_ running: RunningServer, over connection: ClientConnection) async throws {
    let id = try await running.handler.opened()
    let messages = [1, 40, 126, 20_000, 0, 8_000, 8_000, 8_000, 65_536, 300].enumerated()
        .map { [UInt8](repeating: UInt8($0), count: $1) }
    for _ in 0..<5 { running.server.send(messages.map { OutgoingPayload(Payload($0)) }, to: [id]) }
    for _ in 0..<5 {
        for message in messages { #expect(await connection.nextMessage() == message) }
    }
}
