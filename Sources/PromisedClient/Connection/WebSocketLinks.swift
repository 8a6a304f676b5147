package import Logging
internal import PromisedProtocol
internal import PromisedTransport

/// Connections over WebSocket.
package struct WebSocketLinks: LinkMaker {
    private let client: WebSocketClient
    private let request: ClientRequest
    private let isText: Bool

    /// Connections as the settings say.
    package init(_ settings: ClientSettings, log: Logger) {
        var configuration = ClientConfiguration()
        configuration.authoritiesFile = settings.authoritiesFile
        configuration.timing.silence = settings.silence
        client = WebSocketClient(configuration: configuration, logger: log)
        isText = settings.codec.isText
        request = ClientRequest(
            host: settings.address.host,
            port: settings.address.port,
            path: settings.address.path,
            usesTLS: settings.address.usesTLS,
            subprotocols: [settings.codec.subprotocol]
        )
    }

    /// Connects.
    package func open() async throws -> WebSocketLink {
        WebSocketLink(connection: try await client.connect(request), isText: isText)
    }

    /// Ends all connections.
    package func shutDown() async { await client.shutdown(closing: .normal) }
}

/// One connection over WebSocket.
package struct WebSocketLink: ClientLink {
    /// What comes in.
    package struct Incoming: AsyncSequence, Sendable {
        fileprivate let events: IncomingEvents

        /// Reads on.
        package struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: IncomingEvents.Iterator

            /// The next event; nil after `closed`.
            package mutating func next() async -> LinkEvent? { await next(isolation: nil) }

            /// The next event; nil after `closed`.
            package mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(Never) -> LinkEvent? {
                switch await base.next(isolation: actor) {
                case .message(let bytes, _): .message(bytes)
                case .closed(let cause): .closed(code: cause.code)
                case nil: nil
                }
            }
        }

        /// Reads from the beginning.
        package func makeAsyncIterator() -> Iterator { Iterator(base: events.makeAsyncIterator()) }
    }

    fileprivate let connection: ClientConnection
    fileprivate let isText: Bool

    /// What comes in.
    package var incoming: Incoming { Incoming(events: connection.incoming) }

    /// Queues a message.
    package func send(_ bytes: [UInt8]) { connection.send(bytes, isText: isText) }

    /// Begins to close.
    package func close(code: UInt16) { connection.close(CloseReason(code: code)) }
}
