public import PromisedClient
internal import PromisedConcurrency
internal import PromisedProtocol

/// A connection of a ``MemoryTransport``.
public final class MemoryLink: ClientLink {
    /// Frames from the server.
    public let incoming: AsyncStream<LinkEvent>

    private let codec: WireCodec
    private let answer: @Sendable (WireRequest) -> WireContent?
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let isOver = Guarded(false)

    init(codec: WireCodec, answer: @escaping @Sendable (WireRequest) -> WireContent?) {
        self.codec = codec
        self.answer = answer
        (incoming, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// `true` once the connection has ended.
    var isClosed: Bool { isOver.withLock { $0 } }

    /// Answers a frame of the client; one that cannot be decoded ends the connection, as a server does.
    public func send(_ bytes: [UInt8]) {
        do throws(WireError) {
            let frame = try codec.decodeClientFrame(bytes)
            guard let request = frame.request, let content = answer(request) else { return }
            if case .error = content { return receive(WireServerFrame(id: frame.id, content: content)) }
            if frame.wantsReply { receive(WireServerFrame(id: frame.id, content: content)) }
        } catch {
            end(code: CloseCode.malformedFrame.rawValue, reason: CloseCode.malformedFrame.sentence)
        }
    }

    /// Ends the connection.
    public func close(code: UInt16) { end(code: code, reason: "") }

    private func end(code: UInt16, reason: String) {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        guard !wasOver else { return }
        continuation.yield(.closed(code: code, reason: reason))
        continuation.finish()
    }

    /// Delivers a frame to the client.
    func receive(_ frame: WireServerFrame) {
        do throws(WireError) {
            continuation.yield(.message(try codec.encode(frame)))
        } catch {
            preconditionFailure("A frame of the test cannot be encoded: \(error)")
        }
    }
}
