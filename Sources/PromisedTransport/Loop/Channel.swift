/// One connection as its service thread sees it, at either end, from the socket to its last callback.
///
/// ```
/// connecting ──► open ──► closing ──► (gone)
///     │ plain request                   ▲
///     └──────► responding ──────────────┘
/// ```
/// Confined to the actor of its thread.
final class Channel {
    /// How far the connection is.
    enum State {
        /// Before the WebSocket handshake is done.
        case connecting
        /// A plain HTTP request is being answered.
        case responding
        /// Messages flow.
        case open
        /// This end wants it closed: nothing is taken in any more.
        case closing
    }

    let id: ConnectionID
    /// The library's connection; nil until the library has made it.
    var wsi: OpaquePointer?
    var state = State.connecting
    var outbox: Outbox
    var assembly = MessageAssembly()
    var inbound: InboundMeter
    var deadlines: Deadlines
    /// Whether its first request may have a `Forwarded` header. Of TLS nothing is seen.
    var mayBeForwarded = false
    /// Whether its sub-protocol has text frames.
    var isText = true
    /// How large a message from the peer may be, in bytes.
    var messageLimit: Int
    /// Whether `opened` was announced, so that `closed` must be.
    var isAnnounced = false
    /// Whether it holds a place among the server's connections.
    var holdsPlace = false
    var isPingDue = false
    /// Whether the library was asked to call back when the socket takes bytes.
    var hasAskedToWrite = false
    /// Why this end closes; set once.
    var closing: CloseReason?
    /// Why the library closed it by itself.
    var libraryCode: UInt16?
    /// The peer's close frame.
    var peerClose: CloseReason?
    /// What is left to be written of an HTTP answer.
    var response: ArraySlice<UInt8> = []
    /// When its timer fires; timers of other instants no longer matter.
    var timer: LoopInstant?
    /// What the client end has to do with it; nil at the server.
    var client: ClientChannel?

    init(
        id: ConnectionID,
        limits: ConnectionLimits,
        terms: Shared<DeadlineTerms>,
        outboxTotal: OutboxTotal,
        at instant: LoopInstant
    ) {
        self.id = id
        outbox = Outbox(byteLimit: limits.outboxBytes, frameLimit: limits.outboxFrames, total: outboxTotal)
        inbound = InboundMeter(byteMark: limits.inboundBytes, frameMark: limits.inboundFrames)
        deadlines = Deadlines(terms: terms, at: instant)
        messageLimit = limits.messageBytesBeforeAdmission
    }

    /// How it ended, as far as can be told.
    var cause: CloseCause {
        if let closing { return .byThisEnd(code: closing.code) }
        if let peerClose { return .byPeer(code: peerClose.code, text: peerClose.text) }
        if let libraryCode { return .byThisEnd(code: libraryCode) }
        return .lost
    }
}
