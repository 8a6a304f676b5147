internal import PromisedEngine
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedTransport

/// Connections over WebSockets of this server.
final class SocketOutlet: Outlet {
    private let server: WebSocketServer

    init(_ server: WebSocketServer) { self.server = server }

    func send(_ frames: [EncodedFrame], to connections: [SubscriberID]) {
        server.send(
            frames.map { OutgoingPayload(Payload($0.bytes), as: Delivery($0.delivery)) },
            to: connections.map(\.id)
        )
    }

    func processed(_ connection: SubscriberID, bytes: Int) { server.processed(connection.id, bytes: bytes) }
    func admit(_ connection: SubscriberID) { server.admit(connection.id) }

    func close(_ connection: SubscriberID, _ code: CloseCode, text: String) {
        server.close(connection.id, CloseReason(code: code.rawValue, text: text))
    }
}

extension SubscriberID {
    fileprivate var id: ConnectionID { ConnectionID(rawValue: rawValue) }
}

extension Delivery {
    fileprivate init(_ delivery: FrameDelivery) {
        switch delivery {
        case .event: self = .event
        case .superseding(let slot, let lanes): self = .superseding(slot: slot, lanes: lanes)
        }
    }
}
