internal import Logging
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport

/// Passes to the gateway what arrives at the sockets, and answers plain HTTP requests.
final class SocketHandler: ConnectionHandler {
    private let gateway: Gateway
    private let handshakes: HandshakeRules
    private let http: HTTPRoutes

    init(_ gateway: Gateway, http: HTTPRoutes, settings: ServerSettings, log: Logger) {
        self.gateway = gateway
        self.http = http
        handshakes = HandshakeRules(settings, log: log)
    }

    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision { handshakes.decide(handshake) }

    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo) {
        let codec = handshake.subprotocol.flatMap { WireCodec(subprotocol: $0.name) } ?? .json
        let address = handshakes.address(of: handshake)
        gateway.opened(
            id.rawValue,
            Opening(codec: codec, address: address, authorization: handshake.authorization)
        )
    }

    func source(ofPeer address: String) -> [UInt8]? { handshakes.source(ofPeer: address) }
    func source(of handshake: HandshakeInfo) -> [UInt8]? { ThrottleAddress(handshakes.address(of: handshake)).source }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        gateway.received(id.rawValue, bytes) ? .done : .pending
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) { gateway.closed(id.rawValue, code: cause.code) }

    func respond(to request: HTTPRequest, later answer: @escaping @Sendable (HTTPResponse) -> Void) -> HTTPReply {
        handshakes.lookForProxy(peer: request.remoteAddress, forwardedFor: request.forwardedFor)
        return http.respond(to: request, later: answer)
    }
}
