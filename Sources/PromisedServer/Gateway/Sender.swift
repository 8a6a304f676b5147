internal import Logging
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// The way out: encodes frames and hands them to the transport.
///
/// Made before the transport, for which the gateway is made, for which this is made; ``attach(_:)`` closes the circle
/// before the first connection.
final class Sender: Sendable {
    private let server = Guarded<WebSocketServer?>(nil)
    private let metrics: DeliveryMetrics
    private let log: Logger

    init(metrics: DeliveryMetrics, log: Logger) {
        self.metrics = metrics
        self.log = log
    }

    func attach(_ server: WebSocketServer) {
        self.server.withLock { $0 = server }
    }

    private var transport: WebSocketServer? { server.withLock { $0 } }

    /// Sends one frame, a reply, to one connection.
    func send(_ frame: WireServerFrame, to connection: Connection) {
        metrics.replied()
        send(frame, to: [connection.subscriberID])
    }

    /// Sends one frame to many connections.
    func send(_ frame: WireServerFrame, to recipients: [SubscriberID]) {
        send([(.message(frame), .event)], to: recipients)
    }

    /// Sends frames to many connections, encoded once per codec that they speak; those that have ended are passed over.
    func send(_ frames: [(frame: OutgoingFrame, delivery: Delivery)], to recipients: [SubscriberID]) {
        guard let transport else { return }
        for codec in WireCodec.allCases {
            let ids = recipients.filter { $0.codec == codec }.map(\.connectionID)
            guard !ids.isEmpty else { continue }
            do {
                let parcels = try frames.map { Parcel(Payload(try $0.frame.encoded(by: codec)), as: $0.delivery) }
                transport.send(parcels, to: ids)
            } catch {
                // Only times beyond the year 9999 can't be encoded, and none gets this far.
                log.critical("Frame could not be encoded", metadata: ["error": "\(error)"])
            }
        }
    }

    /// How many bytes a frame has in a connection's codec; more than any limit when it can't be encoded.
    func size(of frame: WireServerFrame, for connection: Connection) -> Int {
        do {
            return try connection.codec.encode(frame).count
        } catch {
            return .max
        }
    }

    /// A frame of a connection was dealt with: the next may be read.
    func processed(_ id: ConnectionID, bytes: Int) {
        transport?.processed(id, bytes: bytes)
    }

    /// The connection has signed in: longer frames, no deadline.
    func admit(_ connection: Connection) {
        transport?.admit(connection.id)
    }

    /// Closes a connection after what it was sent. Frames of it that wait are not dealt with any more.
    func close(_ connection: Connection, _ code: CloseCode) {
        connection.markClosed()
        transport?.close(connection.id, CloseReason(code: code.rawValue, text: code.sentence))
    }
}
