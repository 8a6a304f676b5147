import PromisedConcurrency
import PromisedProtocol
import PromisedTestSupport
import PromisedTransport

/// A bare connection that stores its frames in order.
final class TranscribedClient: Sendable {
    fileprivate enum Heard: Sendable {
        case frame(WireServerFrame)
        /// The connection ended; 0 without a code.
        case end(UInt16)
    }

    private struct State: Sendable {
        /// The number of consumed frames.
        var taken = 0
        var lastID: UInt32 = 0
        var lastAside = TranscribedClient.firstAside
    }

    /// Requests from this number on do not belong to the conversation.
    private static let firstAside: UInt32 = 1_000_000

    let name: String
    private let connection: ClientConnection
    private let codec: WireCodec
    private let state = Guarded(State())
    private let heard = Signals<Heard>()

    init(name: String, connection: ClientConnection, codec: WireCodec) {
        self.name = name
        self.connection = connection
        self.codec = codec
    }

    /// Why the server closed the connection; nil while it is open.
    var closeCode: UInt16? { heard.all.closeCode }

    /// Reads until the connection ends.
    func listen() async throws {
        for await incoming in connection.incoming {
            switch incoming {
            case .message(let bytes, _):
                heard.note(.frame(try codec.decodeServerFrame(bytes)))
            case .closed(let cause): heard.note(.end(cause.code))
            }
        }
        heard.note(.end(0))
    }

    func close() { connection.close() }

    // MARK: - Requests

    /// The frame of a request, with the next number.
    func frame(_ request: WireRequest) -> WireClientFrame {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return WireClientFrame(id: id, request: request)
    }

    /// Sends a request and waits for its reply.
    ///
    /// - Returns: the reply; nil when the connection ended instead.
    func ask(_ frame: WireClientFrame) async throws -> WireContent? {
        let bytes = try codec == .json ? frame.writtenOut : codec.encode(frame)
        connection.send(bytes, isText: codec.isText)
        let heard = await heard.wait { $0.closeCode != nil || $0.frames.contains { $0.id == frame.id } }
        return heard.frames.first { $0.id == frame.id }?.content
    }

    /// Sends a request outside the conversation; all frames before its answer were received when this returns.
    func askAside(_ request: WireRequest) async throws {
        let id = state.withLock { state in
            state.lastAside += 1
            return state.lastAside
        }
        _ = try await ask(WireClientFrame(id: id, request: request))
    }

    // MARK: - Hearing

    /// Waits until unconsumed events of these names were received; a repeated name means two of them.
    func hear(_ names: [String]) async {
        let taken = state.withLock { $0.taken }
        await heard.wait { heard in
            var missing = names
            for frame in heard.frames[taken...] {
                guard case .event(let event) = frame.content, let name = event.what?.name else { continue }
                if let index = missing.firstIndex(of: name) { missing.remove(at: index) }
            }
            return missing.isEmpty || heard.closeCode != nil
        }
    }

    /// The frames since the last call: the replies, then the durable events in order of their numbers, then the
    /// others by name, because transient events may precede or follow numbered ones. Omits notifications, which are
    /// stored first and sent independently.
    func take() -> [WireServerFrame] {
        let frames = heard.all.frames
        let taken = state.withLock { state in
            defer { state.taken = frames.count }
            return state.taken
        }
        return frames[taken...].filter { $0.id < TranscribedClient.firstAside && !$0.isNotification }.sorted {
            $0.place < $1.place
        }
    }
}

extension [TranscribedClient.Heard] {
    fileprivate var frames: [WireServerFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }

    /// Why the connection ended; nil while it is open.
    fileprivate var closeCode: UInt16? { lazy.compactMap { if case .end(let code) = $0 { code } else { nil } }.first }
}

extension WireServerFrame {
    fileprivate var isNotification: Bool {
        guard case .event(let event) = content, case .notification = event.what else { return false }
        return true
    }

    /// The position of a frame among those of one step.
    fileprivate var place: (Int, UInt32, String) {
        guard case .event(let event) = content else { return (0, id, "") }
        return event.seq > 0 ? (1, event.seq, "") : (2, 0, event.what?.name ?? "")
    }
}

extension WireClientFrame {
    /// The JSON of the frame with its false values, which the codec omits as defaults.
    var writtenOut: [UInt8] {
        get throws {
            let bytes = try WireCodec.json.encode(self)
            guard let field = unsaidField else { return bytes }
            return Array(bytes.dropLast(2)) + Array(#","\#(field)":false}}"#.utf8)
        }
    }

    /// The field of the request for which false is a choice.
    private var unsaidField: String? {
        switch request {
        case .respond(let request) where !request.accept: "accept"
        case .setSharing(let request) where !request.on: "on"
        case .setLinkSharing(let request) where !request.on: "on"
        default: nil
        }
    }
}
