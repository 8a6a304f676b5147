internal import Logging
internal import PromisedAccess
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport

/// Passes to the gateway what arrives at the sockets, and answers plain HTTP requests.
final class SocketHandler: ConnectionHandler {
    private let gateway: Gateway
    private let handshakes: HandshakeRules
    private let http: HTTPRoutes
    private let invites: InviteRoute

    init(_ gateway: Gateway, http: HTTPRoutes, invites: InviteRoute, settings: ServerSettings, log: Logger) {
        self.gateway = gateway
        self.http = http
        self.invites = invites
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

    func respond(to request: HTTPRequest) -> HTTPReply {
        handshakes.lookForProxy(peer: request.remoteAddress, forwardedFor: request.forwardedFor)
        if let code = InviteRoute.code(in: request.path) {
            let address = handshakes.address(ofPeer: request.remoteAddress, forwardedFor: request.forwardedFor)
            return invites.respond(to: request, code: code, from: ThrottleAddress(address))
        }
        return http.reply(to: request)
    }
}
