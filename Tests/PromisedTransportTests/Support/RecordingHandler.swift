import PromisedTestSupport
import PromisedTransport

/// A handler that records everything and also runs the test's code.
final class RecordingHandler: ConnectionHandler {
    enum Event: Sendable, Hashable {
        case opened(ConnectionID, HandshakeInfo)
        case received(ConnectionID, [UInt8], isText: Bool)
        case closed(ConnectionID, CloseCause)
    }

    /// The events so far.
    let events = Signals<Event>()
    private let decide: (@Sendable (HandshakeInfo) -> HandshakeDecision)?
    private let sourceOfPeer: @Sendable (String) -> [UInt8]?
    private let onReceive: (@Sendable (ConnectionID, [UInt8]) -> Void)?
    private let onRequest: @Sendable (HTTPRequest) -> HTTPReply

    init(
        decide: (@Sendable (HandshakeInfo) -> HandshakeDecision)? = nil,
        sourceOfPeer: @escaping @Sendable (String) -> [UInt8]? = { _ in nil },
        onReceive: (@Sendable (ConnectionID, [UInt8]) -> Void)? = nil,
        onRequest: @escaping @Sendable (HTTPRequest) -> HTTPReply = { _ in .now(.notFound) }
    ) {
        self.decide = decide
        self.sourceOfPeer = sourceOfPeer
        self.onReceive = onReceive
        self.onRequest = onRequest
    }

    func source(ofPeer address: String) -> [UInt8]? { sourceOfPeer(address) }

    /// The source named in the client's header; nil without one.
    func source(of handshake: HandshakeInfo) -> [UInt8]? { handshake.forwardedFor.map { Array($0.utf8) } }

    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision {
        if let decide { return decide(handshake) }
        return OriginPolicy.sameHost.allows(origin: handshake.origin, host: handshake.host)
            ? .accept : .refuse(status: 403)
    }

    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo) { events.note(.opened(id, handshake)) }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        onReceive?(id, bytes)
        events.note(.received(id, bytes, isText: isText))
        return .pending
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) { events.note(.closed(id, cause)) }

    func respond(to request: HTTPRequest) -> HTTPReply { onRequest(request) }

    /// The n-th connection that opened, once it has.
    func opened(_ index: Int = 0) async throws -> ConnectionID {
        let events = await events.wait { $0.openedIDs.count > index }
        try Task.checkCancellation()
        return events.openedIDs[index]
    }

    /// The cause of that connection's end, once it has ended.
    func cause(of id: ConnectionID) async throws -> CloseCause {
        try await events.first { if case .closed(id, let cause) = $0 { cause } else { nil } }
    }
}

extension [RecordingHandler.Event] {
    /// The connections that opened, in order.
    var openedIDs: [ConnectionID] { compactMap { if case .opened(let id, _) = $0 { id } else { nil } } }

    /// The connections that closed, in order.
    var closedIDs: [ConnectionID] { compactMap { if case .closed(let id, _) = $0 { id } else { nil } } }

    /// The received messages, in order.
    var messages: [[UInt8]] { compactMap { if case .received(_, let bytes, _) = $0 { bytes } else { nil } } }
}
