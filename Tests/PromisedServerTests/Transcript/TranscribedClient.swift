import PromisedTransport
import PromisedWire

/// A bare connection whose frames are kept, in the order in which they came.
final class TranscribedClient: Sendable {
    private struct State: Sendable {
        var frames: [WireServerFrame] = []
        /// How many of them were taken.
        var taken = 0
        var lastID: UInt32 = 0
        var lastAside = TranscribedClient.firstAside
        var closeCode: UInt16?
        var watchers: [@Sendable ([WireServerFrame], UInt16?) -> Bool] = []
    }

    /// Requests from this number on are none of the conversation.
    private static let firstAside: UInt32 = 1_000_000

    let name: String
    private let connection: ClientConnection
    private let codec: WireCodec
    private let state = Guarded(State())

    init(name: String, connection: ClientConnection, codec: WireCodec) {
        self.name = name
        self.connection = connection
        self.codec = codec
    }

    /// Why the server closed the connection; nil while it is open.
    var closeCode: UInt16? { state.withLock { $0.closeCode } }

    /// Reads until the connection ends.
    func listen() async throws {
        for await incoming in connection.incoming {
            switch incoming {
            case .message(let bytes, _):
                let frame = try codec.decodeServerFrame(bytes)
                change { $0.frames.append(frame) }
            case .closed(let cause): change { $0.closeCode = cause.code }
            }
        }
        change { $0.closeCode = $0.closeCode ?? 0 }
    }

    func close() { connection.close() }

    // MARK: - Asking

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
        connection.send(try codec.encode(frame), isText: codec.isText)
        await wait { frames, closeCode in closeCode != nil || frames.contains { $0.id == frame.id } }
        return state.withLock { $0.frames.first { $0.id == frame.id }?.content }
    }

    /// Asks something beside the conversation; everything that was sent before its answer has come when this returns.
    func askAside(_ request: WireRequest) async throws {
        let id = state.withLock { state in
            state.lastAside += 1
            return state.lastAside
        }
        _ = try await ask(WireClientFrame(id: id, request: request))
    }

    // MARK: - Hearing

    /// Waits until events of these names have come that were not taken yet; a name twice means two of them.
    func hear(_ names: [String]) async {
        let taken = state.withLock { $0.taken }
        await wait { frames, closeCode in
            var missing = names
            for frame in frames[taken...] {
                guard case .event(let event) = frame.content, let name = event.what?.name else { continue }
                if let index = missing.firstIndex(of: name) { missing.remove(at: index) }
            }
            return missing.isEmpty || closeCode != nil
        }
    }

    /// What has come since the last call: the replies, then the durable events in order of their numbers, then the
    /// others by name; what passes may come before or after what is numbered.
    func take() -> [WireServerFrame] {
        let new = state.withLock { state in
            defer { state.taken = state.frames.count }
            return state.frames[state.taken...].filter { $0.id < TranscribedClient.firstAside }
        }
        return new.sorted { $0.place < $1.place }
    }

    private func wait(until matches: @escaping @Sendable ([WireServerFrame], UInt16?) -> Bool) async {
        await withCheckedContinuation { continuation in
            let once = Guarded<CheckedContinuation<Void, Never>?>(continuation)
            change { state in
                state.watchers.append { frames, closeCode in
                    guard matches(frames, closeCode) else { return false }
                    once.withLock { waiting in
                        waiting?.resume()
                        waiting = nil
                    }
                    return true
                }
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let (frames, closeCode) = (state.frames, state.closeCode)
            state.watchers.removeAll { $0(frames, closeCode) }
        }
    }
}

extension WireServerFrame {
    /// Where a frame stands among those of one step.
    fileprivate var place: (Int, UInt32, String) {
        guard case .event(let event) = content else { return (0, id, "") }
        return event.seq > 0 ? (1, event.seq, "") : (2, 0, event.what?.name ?? "")
    }
}
