internal import Logging
internal import PromisedConcurrency
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedTransport

/// The way out: encodes frames and hands them to the transport.
///
/// Made before the transport, for which the gateway is made, for which this is made; ``attach(_:)`` closes the circle
/// before the first connection.
final class Sender: Sendable {
    private let server = Guarded<WebSocketServer?>(nil)
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    private let metrics: DeliveryMetrics
    private let log: Logger

    init(frameLimit: Int, metrics: DeliveryMetrics, log: Logger) {
        self.frameLimit = frameLimit
        self.metrics = metrics
        self.log = log
    }

    func attach(_ server: WebSocketServer) {
        self.server.withLock { $0 = server }
    }

    private var transport: WebSocketServer? { server.withLock { $0 } }

    /// Sends one frame, a reply, to one connection; an error of the server in its place if it can't be sent.
    func send(_ frame: WireServerFrame, to connection: Connection) {
        metrics.replied()
        guard !deliver([(.message(frame), .event)], to: [connection.subscriberID]) else { return }
        let error = WireServerFrame(id: frame.id, error: RequestError(.serverInternal).reply)
        _ = deliver([(.message(error), .event)], to: [connection.subscriberID])
    }

    /// Sends one frame, a reply, to one connection if it is no larger than frames may be.
    ///
    /// - Returns: whether it was; else nothing was sent.
    func sendIfFitting(_ frame: WireServerFrame, to connection: Connection) -> Bool {
        guard let bytes = try? connection.codec.encode(frame), bytes.count <= frameLimit else { return false }
        metrics.replied()
        transport?.send([Parcel(Payload(bytes), as: .event)], to: [connection.id])
        return true
    }

    /// Sends one frame to many connections.
    func send(_ frame: WireServerFrame, to recipients: [SubscriberID]) {
        send([(.message(frame), .event)], to: recipients)
    }

    /// Sends frames to many connections, encoded once per codec that they speak; those that have ended are passed over.
    func send(_ frames: [(frame: OutgoingFrame, delivery: Delivery)], to recipients: [SubscriberID]) {
        _ = deliver(frames, to: recipients)
    }

    /// - Returns: whether all of them could be sent.
    private func deliver(
        _ frames: [(frame: OutgoingFrame, delivery: Delivery)],
        to recipients: [SubscriberID]
    ) -> Bool {
        guard let transport else { return true }
        var isWhole = true
        for codec in WireCodec.allCases {
            let ids = recipients.filter { $0.codec == codec }.map(\.connectionID)
            guard !ids.isEmpty else { continue }
            var parcels: [Parcel] = []
            parcels.reserveCapacity(frames.count)
            for (frame, delivery) in frames {
                if let bytes = encoded(frame, by: codec) {
                    parcels.append(Parcel(Payload(bytes), as: delivery))
                } else {
                    isWhole = false
                }
            }
            if !parcels.isEmpty { transport.send(parcels, to: ids) }
        }
        return isWhole
    }

    /// The bytes of a frame; nil when it must not leave, which no state of a promise or of a list brings about: they are
    /// bounded where they are made.
    private func encoded(_ frame: OutgoingFrame, by codec: WireCodec) -> [UInt8]? {
        do {
            let bytes = try frame.encoded(by: codec)
            if bytes.count <= frameLimit { return bytes }
            log.critical(
                "Frame is larger than any may be",
                metadata: ["bytes": "\(bytes.count)", "limit": "\(frameLimit)"]
            )
        } catch {
            // Only times beyond the year 9999 can't be encoded, and none gets this far.
            log.critical("Frame could not be encoded", metadata: ["error": "\(error)"])
        }
        metrics.withheld()
        return nil
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
    ///
    /// - Parameter field: what of a client's frame was wrong; told after the code's sentence.
    func close(_ connection: Connection, _ code: CloseCode, naming field: String? = nil) {
        connection.markClosed()
        let text = field.map { "\(code.sentence.dropLast()): \($0)" } ?? code.sentence
        transport?.close(connection.id, CloseReason(code: code.rawValue, text: text))
    }
}
