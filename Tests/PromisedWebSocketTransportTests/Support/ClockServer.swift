import PromisedDomain
import PromisedProtocol
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Synchronization

/// The smallest server: it answers `syncClock` with a stopped clock, and all other requests with an error.
final class ClockServer: ConnectionHandler {
    /// The time that the clock shows.
    static let shown = Instant(milliseconds: 1_795_251_600_123)

    /// Connections, as they open.
    let opened = Mailbox<ConnectionID>()
    private let codec: WireCodec
    private let server = Mutex<WebSocketServer?>(nil)

    init(codec: WireCodec) {
        self.codec = codec
    }

    /// Listens on a free loopback port without sign-ins.
    func start() async throws(TransportError) -> ListeningAddress {
        let offered = WireCodec.allCases.map { Subprotocol(name: $0.subprotocol, isText: $0.isText) }
        var configuration = WebSocketServerConfiguration(subprotocols: offered)
        configuration.timing.admission = nil
        let server = WebSocketServer(
            configuration: configuration,
            logger: quiet
        )
        self.server.withLock { $0 = server }
        return try await server.start(serving: self)
    }

    func stop() async { await running?.shutdown(timeout: .milliseconds(500)) }

    func close(_ id: ConnectionID, _ code: UInt16) { running?.close(id, CloseReason(code: code)) }

    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo) { opened.put(id) }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        if isText == codec.isText, let answer = try? answer(to: bytes) {
            running?.send(Payload(answer), to: [id])
        } else {
            // The client sent an unexpected request.
            close(id, CloseCode.malformedFrame.rawValue)
        }
        return .done
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {}

    private var running: WebSocketServer? { server.withLock { $0 } }

    private func answer(to bytes: [UInt8]) throws(WireError) -> [UInt8] {
        let frame = try codec.decodeClientFrame(bytes)
        guard case .syncClock(let request)? = frame.request else {
            return try codec.encode(WireServerFrame(id: frame.id, error: WireErrorReply(.authRequired)))
        }
        let clock = WireClock.with {
            $0.uptimeMs = request.uptimeMs
            $0.receivedAt = WireTimestamp(Self.shown)
            $0.sentAt = WireTimestamp(Self.shown)
        }
        return try codec.encode(WireServerFrame(id: frame.id, content: .clock(clock)))
    }
}
