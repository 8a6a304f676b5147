/// The state of a message after `received`.
package enum MessageProcessing: Sendable {
    /// The message has been processed.
    case done
    /// The message waits; the handler reports to the server when it is processed.
    case pending
}

/// A server's handling of its connections.
///
/// Every function is called on the connection's service thread and must return at once: it must not wait, and calls to
/// the server (`send`, `close`, …) only queue. With several threads the functions run concurrently for connections of
/// different threads. For one connection the order is `shouldAccept`, `opened`, any number of `received`, `closed`;
/// `closed` is called exactly once for each `opened`. After `shutdown` has returned, there are no further calls.
package protocol ConnectionHandler: Sendable {
    /// The source to which a socket counts while only the peer's IP address is known
    /// (``WebSocketServerConfiguration/unadmittedPerSource``); nil to leave it uncounted. By default nil.
    func source(ofPeer address: String) -> [UInt8]?

    /// The same once the handshake names the client behind a proxy; called after the handshake was accepted.
    func source(of handshake: HandshakeInfo) -> [UInt8]?

    /// Decides if a peer with a valid handshake may connect. By default refuses pages of other hosts with 403.
    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision

    /// Called when a connection has opened; `id` identifies it from now on.
    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo)

    /// Called with a whole message of the sub-protocol's kind. Return `pending` if it is not processed yet: then call
    /// ``WebSocketServer/processed(_:bytes:)`` later, or reading from this connection stops at its mark.
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing

    /// Called when a connection has ended; `id` is no longer in use.
    func closed(_ id: ConnectionID, _ cause: CloseCause)

    /// Answers a plain HTTP request. By default with 404.
    func respond(to request: HTTPRequest) -> HTTPReply
}

extension ConnectionHandler {
    /// Accepts programs, and pages of the server's own host.
    package func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision {
        OriginPolicy.sameHost.allows(origin: handshake.origin, host: handshake.host) ? .accept : .refuse(status: 403)
    }

    /// Leaves the socket uncounted.
    package func source(ofPeer address: String) -> [UInt8]? { nil }

    /// Leaves the socket uncounted.
    package func source(of handshake: HandshakeInfo) -> [UInt8]? { nil }

    /// Answers 404.
    package func respond(to request: HTTPRequest) -> HTTPReply { .now(.notFound) }
}

/// A program's handling of its client connections, without a task for each.
///
/// Every function is called on the client's service thread and must return at once. For one connection the order is
/// `opened`, any number of `received`, `closed`; `opened` and `closed` exactly once each. A failed attempt causes no
/// calls. A message counts as processed when `received` returns.
package protocol ClientHandler: Sendable {
    /// Called when the connection has opened; `subprotocol` is the server's choice, or nil.
    func opened(_ id: ConnectionID, subprotocol: String?)

    /// Called with a whole message.
    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool)

    /// Called when the connection has ended; `id` is no longer in use.
    func closed(_ id: ConnectionID, _ cause: CloseCause)
}
