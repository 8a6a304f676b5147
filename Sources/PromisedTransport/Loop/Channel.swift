/// One connection as its service thread sees it, at either end, from the socket to its last callback.
///
/// ```
/// connecting ──► open ──► closing ──► (gone)
///     │ plain request                   ▲
///     └──────► responding ──────────────┘
/// ```
/// Confined to the actor of its thread.
final class Channel {
    /// The state of the connection.
    enum State {
        /// The WebSocket handshake is in progress.
        case connecting
        /// A plain HTTP request is being answered.
        case responding
        /// Messages flow.
        case open
        /// This end is closing it: received bytes are ignored.
        case closing
    }

    let id: ConnectionID
    /// The library's connection; nil until the library has created it.
    var socket: LibrarySocket?
    var state = State.connecting
    var ending = Ending.unknown
    /// `true` if its sub-protocol has text frames.
    var isText = true
    /// `true` if `opened` was called, so that `closed` must be.
    var isAnnounced = false
    /// `true` if it counts towards the server's limit of connections.
    var holdsPlace = false
    var deadlines: Deadlines
    var output: ChannelOutput
    var input: ChannelInput
    var exchange = PlainExchange()
    /// nil at the server.
    var client: ClientChannel?

    init(
        id: ConnectionID,
        limits: ConnectionLimits,
        terms: Shared<DeadlineTerms>,
        outboxTotal: OutboxTotal,
        at instant: LoopInstant
    ) {
        self.id = id
        deadlines = Deadlines(terms: terms, at: instant)
        output = ChannelOutput(limits, total: outboxTotal)
        input = ChannelInput(limits)
    }
}

// MARK: - Its parts

/// Why a connection ends, as far as known. Only the first reason is recorded.
enum Ending {
    case unknown
    /// This end closes it.
    case here(CloseReason)
    /// The peer sent a close frame.
    case peer(CloseReason)
    /// The library closed it on its own.
    case library(UInt16)

    /// Why this end closes it; nil if it does not.
    var reason: CloseReason? {
        if case .here(let reason) = self { reason } else { nil }
    }

    /// `true` if this end closes it.
    var isHere: Bool {
        if case .here = self { true } else { false }
    }

    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }

    var cause: CloseCause {
        switch self {
        case .unknown: .lost
        case .here(let reason): .byThisEnd(code: reason.code)
        case .peer(let reason): .byPeer(code: reason.code, text: reason.text)
        case .library(let code): .byThisEnd(code: code)
        }
    }
}

/// The outgoing side of a connection: the queued frames, and if the library was asked for a callback to write them.
struct ChannelOutput {
    var outbox: Outbox
    private var isPingDue = false
    private var hasAsked = false

    init(_ limits: ConnectionLimits, total: OutboxTotal) {
        outbox = Outbox(byteLimit: limits.outboxBytes, frameLimit: limits.outboxFrames, total: total)
    }

    /// `true` if no earlier frame waits.
    var isClear: Bool { !hasAsked && outbox.isEmpty }

    /// `true` if the library must still be asked for a callback when the socket is writable; marks it as asked.
    mutating func mustAsk() -> Bool {
        defer { hasAsked = true }
        return !hasAsked
    }

    mutating func hasCalledBack() { hasAsked = false }
    mutating func putOffPing() { isPingDue = true }

    /// `true` if a ping was pending; clears the mark.
    mutating func takePing() -> Bool {
        defer { isPingDue = false }
        return isPingDue
    }
}

/// The incoming side of a connection: the message being assembled, and the amount of unprocessed data.
struct ChannelInput {
    private var assembly = MessageAssembly()
    private var meter: InboundMeter
    /// The largest message, in bytes.
    private var messageLimit: Int

    init(_ limits: ConnectionLimits) {
        meter = InboundMeter(byteMark: limits.inboundBytes, frameMark: limits.inboundFrames)
        messageLimit = limits.messageBytesBeforeAdmission
    }

    /// `true` while reading is stopped because too much data is unprocessed.
    var isPaused: Bool { meter.isPaused }

    /// Raises the largest size of messages.
    mutating func admit(messageBytes: Int) { messageLimit = messageBytes }

    /// Adds a piece, as ``MessageAssembly/add(_:remaining:isFinal:isText:limit:)`` does.
    mutating func add(
        _ piece: UnsafeBufferPointer<UInt8>,
        remaining: Int,
        isFinal: Bool,
        isText: Bool
    ) -> MessageAssembly.Outcome {
        assembly.add(piece, remaining: remaining, isFinal: isFinal, isText: isText, limit: messageLimit)
    }

    /// Counts a message that waits to be processed; `true` if reading must stop now.
    mutating func received(_ bytes: Int) -> Bool { meter.received(bytes) == .pause }

    /// Counts a processed message; `true` if reading must resume now.
    mutating func processed(_ bytes: Int) -> Bool { meter.processed(bytes) == .resume }
}

/// A plain request on a connection: the work for its reply, and the unsent rest of a large reply.
struct PlainExchange {
    /// Replies up to this size are written at once.
    static let smallAnswer = 16 * 1024
    /// Larger replies are written in pieces of this size.
    static let piece = 32 * 1024

    /// `true` if the request may have a `Forwarded` header; unknown under TLS.
    var mayBeForwarded = false
    /// `true` unless the request was `HEAD`.
    var includesBody = true
    /// The work for a reply that comes later.
    private var work: Task<Void, Never>?
    private var answer: [UInt8] = []
    private var written = 0

    mutating func wait(for work: Task<Void, Never>) { self.work = work }

    /// Stops the work for a reply that nobody awaits any more.
    mutating func abandon() {
        work?.cancel()
        work = nil
    }

    mutating func begin(_ answer: [UInt8]) {
        self.answer = answer
        written = 0
    }

    /// Removes and returns the next piece; ``isDone`` is `true` after the last.
    mutating func next() -> ArraySlice<UInt8> {
        let piece = answer[written...].prefix(Self.piece)
        written = piece.endIndex
        return piece
    }

    /// `true` once there is a reply to write.
    var hasBegun: Bool { !answer.isEmpty }
    var isDone: Bool { written == answer.count }
}
