/// How far a handler has got with a message.
package enum MessageProcessing: Sendable {
    /// The message is processed.
    case done
    /// The message waits; the handler tells the server when it is processed.
    case pending
}

/// A server's handling of its connections.
///
/// Every function is called on the connection's service thread and must return at once: it may not wait, and what it
/// calls on the server (`send`, `close`, …) only queues. With several threads the functions run concurrently for
/// connections of different threads. For one connection the order is `shouldAccept`, `opened`, any number of
/// `received`, `closed`; `closed` comes exactly once for each `opened`. After `shutdown` has returned nothing is
/// called.
package protocol ConnectionHandler: Sendable {
    /// The source that a socket counts towards while only the peer's IP address is known
    /// (``WebSocketServerConfiguration/unadmittedPerSource``); nil to leave it uncounted. The default counts nothing.
    func source(ofPeer address: String) -> [UInt8]?

    /// The same once the handshake names the client behind a proxy; called after the handshake was accepted.
    func source(of handshake: HandshakeInfo) -> [UInt8]?

    /// Whether a peer with a proper handshake may connect. The default refuses pages of other hosts with 403.
    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision

    /// A connection is open; `id` names it from now on.
    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo)

    /// A whole message arrived, of the sub-protocol's kind. Returns `pending` when it is not processed yet: then call
    /// ``WebSocketServer/processed(_:bytes:)`` later, or reading from this connection stops at its mark.
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing

    /// A connection has ended; `id` is no longer in use.
    func closed(_ id: ConnectionID, _ cause: CloseCause)

    /// Answers a plain HTTP request. The default is 404.
    func respond(to request: HTTPRequest) -> HTTPResponse
}

extension ConnectionHandler {
    /// Accepts programs, and pages of the server's own host.
    package func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision {
        OriginPolicy.sameHost.allows(origin: handshake.origin, host: handshake.host) ? .accept : .refuse(status: 403)
    }

    /// Counts nothing.
    package func source(ofPeer address: String) -> [UInt8]? { nil }

    /// Counts nothing.
    package func source(of handshake: HandshakeInfo) -> [UInt8]? { nil }

    /// Answers 404.
    package func respond(to request: HTTPRequest) -> HTTPResponse { .notFound }
}

/// A program's handling of the connections it made, without a task for each.
///
/// Every function is called on the client's service thread and must return at once. For one connection the order is
/// `opened`, any number of `received`, `closed`, each of the outer ones exactly once; nothing comes for an attempt that
/// failed. A message counts as processed when `received` returns.
package protocol ClientHandler: Sendable {
    /// The connection is open; `subprotocol` is the one the server chose, nil for none.
    func opened(_ id: ConnectionID, subprotocol: String?)

    /// A whole message arrived.
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool)

    /// The connection has ended; `id` is no longer in use.
    func closed(_ id: ConnectionID, _ cause: CloseCause)
}
