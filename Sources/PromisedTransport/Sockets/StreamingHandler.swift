/// Turns what comes over one connection into a stream.
final class StreamingHandler: ClientHandler {
    let stream: AsyncStream<ClientEvent>
    private let continuation: AsyncStream<ClientEvent>.Continuation

    /// A handler whose stream holds the messages that may be unprocessed at once; reading stops before there are more.
    init(limits: ConnectionLimits) {
        (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self,
            bufferingPolicy: .bufferingOldest(limits.inboundFrames + 2)
        )
    }

    /// The attempt tells the connection's name by itself.
    func opened(_ id: ConnectionID, subprotocol: String?) {}

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) {
        continuation.yield(.message(bytes, isText: isText))
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {
        continuation.yield(.closed(cause))
        continuation.finish()
    }
}
