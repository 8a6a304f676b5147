internal import Logging
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Encodes frames and hands them to the outlet.
struct Sender: Sendable {
    private let outlet: any Outlet
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    private let metrics: DeliveryMetrics
    private let log: Logger

    init(_ outlet: any Outlet, frameLimit: Int, metrics: DeliveryMetrics, log: Logger) {
        self.outlet = outlet
        self.frameLimit = frameLimit
        self.metrics = metrics
        self.log = log
    }

    /// Sends a reply to one connection; if it can't be encoded, sends an internal error instead.
    func send(_ frame: WireServerFrame, to connection: SubscriberID) {
        metrics.replied()
        guard !deliver([(.message(frame), .event)], to: [connection], by: connection.codec) else { return }
        let error = WireServerFrame(id: frame.id, error: WireErrorReply(.serverInternal))
        _ = deliver([(.message(error), .event)], to: [connection], by: connection.codec)
    }

    /// Sends a reply to one connection, unless it exceeds the largest frame.
    ///
    /// - Returns: `true` if it was sent.
    func sendIfFitting(_ frame: WireServerFrame, to connection: SubscriberID) -> Bool {
        guard let bytes = try? connection.codec.encode(frame), bytes.count <= frameLimit else { return false }
        metrics.replied()
        outlet.send([EncodedFrame(bytes, as: .event)], to: [connection])
        return true
    }

    func send(_ frame: WireServerFrame, to recipients: [SubscriberID]) {
        send([(.message(frame), .event)], to: recipients)
    }

    /// Sends frames to many connections, encoded once per codec; skips connections that have ended.
    func send(_ frames: [(frame: OutgoingFrame, delivery: FrameDelivery)], to recipients: [SubscriberID]) {
        guard let codec = recipients.first?.codec else { return }
        // Nearly always, all of them have the same codec.
        if recipients.allSatisfy({ $0.codec == codec }) {
            _ = deliver(frames, to: recipients, by: codec)
        } else {
            for codec in WireCodec.allCases {
                let receiving = recipients.filter { $0.codec == codec }
                if !receiving.isEmpty { _ = deliver(frames, to: receiving, by: codec) }
            }
        }
    }

    /// Sends frames to connections of one codec.
    ///
    /// - Returns: `true` if all frames could be sent.
    private func deliver(
        _ frames: [(frame: OutgoingFrame, delivery: FrameDelivery)],
        to recipients: [SubscriberID],
        by codec: WireCodec
    ) -> Bool {
        var encoded: [EncodedFrame] = []
        encoded.reserveCapacity(frames.count)
        for (frame, delivery) in frames {
            if let bytes = self.encoded(frame, by: codec) { encoded.append(EncodedFrame(bytes, as: delivery)) }
        }
        if !encoded.isEmpty { outlet.send(encoded, to: recipients) }
        return encoded.count == frames.count
    }

    /// The bytes of a frame; nil if it is too large. Promises and lists never are, because the code that creates them
    /// bounds their size.
    private func encoded(_ frame: OutgoingFrame, by codec: WireCodec) -> [UInt8]? {
        do {
            let bytes = try frame.encoded(by: codec)
            if bytes.count <= frameLimit { return bytes }
            log.critical(
                "Frame exceeds the largest size",
                metadata: ["bytes": "\(bytes.count)", "limit": "\(frameLimit)"]
            )
        } catch {
            // Only times beyond the year 9999 can't be encoded, and the rules reject them earlier.
            log.critical("Frame could not be encoded", metadata: ["error": "\(error)"])
        }
        metrics.withheld()
        return nil
    }

    /// Reports that a frame of a connection was processed.
    func processed(_ connection: Connection, bytes: Int) { outlet.processed(connection.id, bytes: bytes) }

    /// Lifts the limits of a connection before its sign-in: short frames and a deadline.
    func admit(_ connection: Connection) { outlet.admit(connection.id) }

    /// Closes a connection after its queued outgoing frames, and drops its queued incoming ones. `field` names the
    /// invalid field of a client's frame; it is added to the code's sentence.
    func close(_ connection: Connection, _ code: CloseCode, naming field: String? = nil) {
        connection.markClosed()
        let text = field.map { "\(code.sentence.dropLast()): \($0)" } ?? code.sentence
        outlet.close(connection.id, code, text: text)
    }
}

/// A frame before it is encoded.
enum OutgoingFrame: Sendable {
    /// A reply or an event.
    case message(WireServerFrame)
    /// Live positions: the bulk of the traffic.
    case positions(PositionsFrame)

    /// The encoded frame. Throws ``WireError/unencodable`` for a timestamp outside the years 1 to 9999 in JSON, or more
    /// than 2 GB.
    func encoded(by codec: WireCodec) throws(WireError) -> [UInt8] {
        switch self {
        case .message(let frame): try codec.encode(frame)
        case .positions(let frame): codec.encode(frame)
        }
    }
}
