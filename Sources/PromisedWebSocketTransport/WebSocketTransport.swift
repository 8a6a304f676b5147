public import Logging
public import PromisedClient
internal import PromisedConcurrency
internal import PromisedProtocol
internal import PromisedTransport

/// WebSocket connections by libwebsockets, for the tools and tests of this repository.
///
/// Pings a silent server, and closes the connection with code 4003 if there is no answer.
public final class WebSocketTransport: ClientTransport {
    private struct State: Sendable {
        /// One client per silence timeout, which applies to all connections of a client.
        var clients: [Duration: WebSocketClient] = [:]
        var isOver = false
    }

    private let configuration: ClientConfiguration
    private let log: Logger
    private let state = Guarded(State())

    /// A transport without connections; its service thread starts with the first.
    ///
    /// - Parameters:
    ///   - authoritiesFile: certificate authorities in PEM, replacing the system's.
    ///   - patience: the timeout for connecting, without the name look-up.
    public init(authoritiesFile: String? = nil, patience: Duration = .seconds(10), log: Logger) {
        var configuration = ClientConfiguration()
        configuration.authoritiesFile = authoritiesFile
        configuration.timing.handshake = patience
        self.configuration = configuration
        self.log = log
    }

    /// Connects. Throws `TransportError`.
    public func connect(_ request: LinkRequest) async throws -> WebSocketLink {
        let connection = try await client(silence: request.silence).connect(
            ClientRequest(
                host: request.address.host,
                port: request.address.port,
                path: request.address.path,
                usesTLS: request.address.usesTLS,
                subprotocols: [request.codec.subprotocol]
            )
        )
        return WebSocketLink(connection: connection, isText: request.codec.isText)
    }

    /// Closes all connections, waits for their end and ends the thread.
    public func shutDown() async {
        let clients = state.withLock { state in
            state.isOver = true
            return Array(state.clients.values)
        }
        for client in clients { await client.shutdown(closing: .normal) }
    }

    private func client(silence: Duration) throws(TransportError) -> WebSocketClient {
        let client = state.withLock { state -> WebSocketClient? in
            guard !state.isOver else { return nil }
            if let client = state.clients[silence] { return client }
            var configuration = configuration
            configuration.timing.silence = silence
            let client = WebSocketClient(configuration: configuration, logger: log)
            state.clients[silence] = client
            return client
        }
        guard let client else { throw .notRunning }
        return client
    }
}

/// One connection over WebSocket.
public struct WebSocketLink: ClientLink {
    /// The incoming messages.
    public struct Incoming: AsyncSequence, Sendable {
        fileprivate let events: IncomingEvents

        /// Iterates over the events.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: IncomingEvents.Iterator

            /// The next event; nil after `closed`.
            public mutating func next() async -> LinkEvent? { await next(isolation: nil) }

            /// The next event; nil after `closed`.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> LinkEvent? {
                switch await base.next(isolation: actor) {
                case .message(let bytes, _): .message(bytes)
                case .closed(.byPeer(let code, let text)): .closed(code: code, reason: text)
                case .closed(let cause): .closed(code: cause.code)
                case nil: nil
                }
            }
        }

        /// Reads from the beginning.
        public func makeAsyncIterator() -> Iterator { Iterator(base: events.makeAsyncIterator()) }
    }

    fileprivate let connection: ClientConnection
    fileprivate let isText: Bool

    /// The incoming messages.
    public var incoming: Incoming { Incoming(events: connection.incoming) }

    /// Queues a message.
    public func send(_ bytes: [UInt8]) { connection.send(bytes, isText: isText) }

    /// Begins to close.
    public func close(code: UInt16) { connection.close(CloseReason(code: code)) }
}
