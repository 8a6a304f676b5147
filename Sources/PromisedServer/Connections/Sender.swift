internal import Logging
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// The way out: encodes frames and hands them to the transport.
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

    /// Sends one frame, a reply, to one connection; an error of the server in its place if it can't be sent.
    func send(_ frame: WireServerFrame, to connection: Connection) {
        metrics.replied()
        guard !deliver([(.message(frame), .event)], to: [connection.subscriberID]) else { return }
        let error = WireServerFrame(id: frame.id, error: RequestError(.serverInternal).reply)
        _ = deliver([(.message(error), .event)], to: [connection.subscriberID])
    }

    /// Sends one frame, a reply, to one connection if it is no larger than frames may be. Returns whether it was; else
    /// nothing was sent.
    func sendIfFitting(_ frame: WireServerFrame, to connection: Connection) -> Bool {
        guard let bytes = try? connection.codec.encode(frame), bytes.count <= frameLimit else { return false }
        metrics.replied()
        transport.send([OutgoingPayload(Payload(bytes), as: .event)], to: [connection.id])
        return true
    }

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

    /// The bytes of a frame; nil if it is too large, which no promise or list causes: their size is bounded where they
    /// are made.
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

    /// A frame of a connection was processed: the next may be read.
    func processed(_ id: ConnectionID, bytes: Int) { transport.processed(id, bytes: bytes) }

    /// The connection has signed in: longer frames, no deadline.
    func admit(_ connection: Connection) { transport.admit(connection.id) }

    /// Closes a connection after what it was sent. Frames of it that wait are not dealt with any more.
    ///
    /// - Parameter field: what of a client's frame was wrong; told after the code's sentence.
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
    /// Live positions, of which most of what goes out consists.
    case positions(PositionsFrame)

    /// Its bytes. Throws ``WireError/unencodable`` for a timestamp outside the years 1 to 9999 in JSON, or more than 2
    /// GB.
    func encoded(by codec: WireCodec) throws(WireError) -> [UInt8] {
        switch self {
        case .message(let frame): try codec.encode(frame)
        case .positions(let frame): codec.encode(frame)
        }
    }
}

/// How much of a list still fits into the frame that brings it: a page ends early rather than exceed a frame.
struct FrameCapacity {
    /// What everything around a list may need: the frame, the reply and its cursor.
    static let envelope = 2_048

    private let codec: WireCodec
    private var left: Int

    /// The room in an empty frame.
    ///
    /// - Parameter frameLimit: the largest frame that may be sent, in bytes.
    init(frameLimit: Int, for connection: Connection) {
        codec = connection.codec
        left = frameLimit - FrameCapacity.envelope
    }

    /// Takes the room that a part needs, if there is as much. Once there was not, there is none for what follows
    /// either. Returns whether there was; what can't be encoded never fits.
    mutating func take(_ part: some WireMessage) -> Bool {
        do throws(WireError) {
            left -= try codec.size(ofListed: part)
        } catch {
            left = -1
        }
        return left >= 0
    }
}

extension FrameCapacity {
    /// The first items of a page that fit, in their form on the wire, and where the next page begins.
    ///
    /// - Parameters:
    ///   - cursor: where the page after an item begins.
    ///   - wire: an item's form on the wire.
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
