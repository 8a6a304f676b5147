internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// Encodes frames and hands them to the transport.
struct Sender: Sendable {
    private let transport: WebSocketServer
    /// The largest frame that may be sent, in bytes.
    let frameLimit: Int
    private let metrics: DeliveryMetrics
    private let log: Logger

    init(_ transport: WebSocketServer, frameLimit: Int, metrics: DeliveryMetrics, log: Logger) {
        self.transport = transport
        self.frameLimit = frameLimit
        self.metrics = metrics
        self.log = log
    }

    /// Sends a reply to one connection; if it can't be encoded, sends an internal error instead.
    func send(_ frame: WireServerFrame, to connection: Connection) {
        metrics.replied()
        guard !deliver([(.message(frame), .event)], to: [connection.subscriberID]) else { return }
        let error = WireServerFrame(id: frame.id, error: WireErrorReply(.serverInternal))
        _ = deliver([(.message(error), .event)], to: [connection.subscriberID])
    }

    /// Sends a reply to one connection, unless it exceeds the largest frame.
    ///
    /// - Returns: `true` if it was sent.
    func sendIfFitting(_ frame: WireServerFrame, to connection: Connection) -> Bool {
        guard let bytes = try? connection.codec.encode(frame), bytes.count <= frameLimit else { return false }
        metrics.replied()
        transport.send([OutgoingPayload(Payload(bytes), as: .event)], to: [connection.id])
        return true
    }

    func send(_ frame: WireServerFrame, to recipients: [SubscriberID]) {
        send([(.message(frame), .event)], to: recipients)
    }

    /// Sends frames to many connections, encoded once per codec; skips connections that have ended.
    func send(_ frames: [(frame: OutgoingFrame, delivery: Delivery)], to recipients: [SubscriberID]) {
        _ = deliver(frames, to: recipients)
    }

    /// - Returns: `true` if all frames could be sent.
    private func deliver(
        _ frames: [(frame: OutgoingFrame, delivery: Delivery)],
        to recipients: [SubscriberID]
    ) -> Bool {
        var isWhole = true
        for codec in WireCodec.allCases {
            let ids = recipients.filter { $0.codec == codec }.map(\.connectionID)
            guard !ids.isEmpty else { continue }
            var payloads: [OutgoingPayload] = []
            payloads.reserveCapacity(frames.count)
            for (frame, delivery) in frames {
                if let bytes = encoded(frame, by: codec) {
                    payloads.append(OutgoingPayload(Payload(bytes), as: delivery))
                } else {
                    isWhole = false
                }
            }
            if !payloads.isEmpty { transport.send(payloads, to: ids) }
        }
        return isWhole
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

    /// Allows the transport to read the next frame of a connection.
    func processed(_ id: ConnectionID, bytes: Int) {
        transport.processed(id, bytes: bytes)
    }

    /// Lifts the limits of a connection before its sign-in: short frames and a deadline.
    func admit(_ connection: Connection) {
        transport.admit(connection.id)
    }

    /// Closes a connection after its queued outgoing frames, and drops its queued incoming ones. `field` names the
    /// invalid field of a client's frame; it is added to the code's sentence.
    func close(_ connection: Connection, _ code: CloseCode, naming field: String? = nil) {
        connection.markClosed()
        let text = field.map { "\(code.sentence.dropLast()): \($0)" } ?? code.sentence
        transport.close(connection.id, CloseReason(code: code.rawValue, text: text))
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

/// The remaining space for a list in its frame: a page that would exceed a frame ends early.
struct FrameCapacity {
    /// The space for everything around a list: the frame, the reply and its cursor.
    static let envelope = 2_048

    private let codec: WireCodec
    private var left: Int

    /// The space in an empty frame. `frameLimit` is the largest frame that may be sent, in bytes.
    init(frameLimit: Int, for connection: Connection) {
        codec = connection.codec
        left = frameLimit - FrameCapacity.envelope
    }

    /// Reserves the space for a part, if it fits. After the first part that does not fit, rejects all others.
    ///
    /// - Returns: `true` if it fits; `false` also for a part that can't be encoded.
    mutating func take(_ part: some WireMessage) -> Bool {
        do throws(WireError) {
            left -= try codec.size(ofListed: part)
        } catch {
            left = -1
        }
        return left >= 0
    }

    /// `true` if a part would fit; reserves nothing.
    func holds(_ part: some WireMessage) -> Bool {
        var capacity = self
        return capacity.take(part)
    }
}

extension FrameCapacity {
    /// The reply that `ask` creates from at most `limit` items; halves the number until it fits.
    ///
    /// A single item always fits: the limits of its fields keep it below any frame size.
    func page<Reply: WireMessage>(
        of limit: Int,
        _ ask: (Int) async throws -> Reply
    ) async throws -> Reply {
        var limit = limit
        while true {
            let reply = try await ask(limit)
            if limit <= 1 || holds(reply) { return reply }
            limit /= 2
        }
    }

    /// The first items of a page that fit, in their wire form, and the start of the next page.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of the page after an item.
    ///   - wire: an item's wire form.
    /// - Returns: nil for the cursor when all items fit and none follow.
    mutating func fill<Item, Part: WireMessage, Cursor>(
        with page: Page<Item, Cursor>,
        cursor: (Item) -> Cursor,
        _ wire: (Item) -> Part
    ) -> (parts: [Part], next: Cursor?) {
        var parts: [Part] = []
        for item in page.items {
            let part = wire(item)
            guard take(part) else { return (parts, page.items[..<parts.count].last.map(cursor)) }
            parts.append(part)
        }
        return (parts, page.next)
    }
}
