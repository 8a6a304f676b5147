import CWebSockets
import CoreMetrics
import Logging

/// The connections of one service thread, at either end: an actor whose executor is that thread.
///
/// The library's callbacks and what other threads post enter here; the pure parts (outbox, deadlines, assembly) decide,
/// the extensions carry out: `+Life`, `+Commands`, `+Reading`, `+Writing`, `+Timers`, and for the two ends `+Accept`,
/// `+TLS`, `+Handshake`, `+HTTP` and `+Client`.
actor ConnectionLoop {
    /// Its executor.
    nonisolated let thread: ServiceThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    /// Opens when the thread has ended; nothing is called from it after that.
    nonisolated let ended = Gate()

    let end: LoopEnd
    let logger: Logger
    let metrics: TransportMetrics
    let limits: ConnectionLimits
    let timing: ConnectionTiming
    let deadlineTerms: Shared<DeadlineTerms>

    var table: ConnectionTable<Channel>
    var wheel: TimerWheel<(id: ConnectionID, instant: LoopInstant)>
    var clock: LoopClock
    var traffic = Traffic()
    let outboxTotal = OutboxTotal()
    /// The frames that are to be written in one call, empty between such calls; kept for its memory.
    var packet = FramePacket()
    /// The list that work is taken into, empty between turns; kept for its memory.
    var workList: [ServiceThread.Work] = []
    /// Whether work from the mailbox is being done.
    var isWorking = false
    var context: LibraryContext?
    var eventLoop: OpaquePointer?
    /// How long events gather on the loop.
    var gathering = Duration.zero
    /// Whether a piece of a long message has come since the last tick.
    var isLongMessageComing = false
    var stop: Stop?
    var isStopping = false
    /// The server's listening socket in the library's hands.
    var listener: OpaquePointer?
    var isAcceptPaused = false
    /// How often the ticker came.
    var tickCount = 0
    /// When the ticker came last.
    var lastTick: ContinuousClock.Instant?
    /// When the outboxes are looked at next.
    var nextSurvey = ContinuousClock.now
    /// The certificate that handshakes show; nil for plain TCP. Freed after the context that reads it.
    var shownCertificate: UnsafeMutablePointer<cws_certificate>?
    /// The handshake the library is just working on: confirmed by us, not yet open.
    var confirmed: (id: ConnectionID, info: HandshakeInfo)?
    var isTLSReady = false

    /// A loop for one end; it runs once started.
    init(
        index: Int,
        thread: ServiceThread = ServiceThread(),
        end: LoopEnd,
        limits: ConnectionLimits,
        timing: ConnectionTiming,
        logger: Logger,
        metrics factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.thread = thread
        self.end = end
        self.limits = limits
        self.timing = timing
        deadlineTerms = Shared(DeadlineTerms(timing))
        self.logger = logger
        metrics = TransportMetrics(end: end.label, thread: index, factory: factory)
        table = ConnectionTable(thread: UInt8(index))
        wheel = TimerWheel(resolution: timing.resolution)
        clock = LoopClock(startingAt: .now, longestStep: timing.resolution * 3)
    }

    /// A connection that begins now.
    func makeChannel(_ id: ConnectionID) -> Channel {
        Channel(id: id, limits: limits, terms: deadlineTerms, outboxTotal: outboxTotal, at: clock.now)
    }

    /// Whether a callback needs to enter the actor.
    nonisolated static func concerns(_ reason: lws_callback_reasons) -> Bool {
        switch reason {
        case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_RECEIVE,
            LWS_CALLBACK_CLIENT_WRITEABLE, LWS_CALLBACK_EVENT_WAIT_CANCELLED, LWS_CALLBACK_RAW_RX_FILE,
            LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION,
            LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_CLIENT_ESTABLISHED, LWS_CALLBACK_RECEIVE_PONG,
            LWS_CALLBACK_CLIENT_RECEIVE_PONG, LWS_CALLBACK_WS_PEER_INITIATED_CLOSE, LWS_CALLBACK_CLOSED,
            LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_HTTP_BODY,
            LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER, LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH,
            LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS, LWS_CALLBACK_CLIENT_CONNECTION_ERROR,
            LWS_CALLBACK_CLIENT_HTTP_REDIRECT, LWS_CALLBACK_WSI_DESTROY:
            true
        default:
            false
        }
    }

    /// Deals with one callback. Not 0 has the library close the connection.
    func handle(_ event: LibraryEvent) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            doWork()
            return 0
        case LWS_CALLBACK_RAW_RX_FILE: return acceptConnections(event)
        case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: return setUpTLS(event)
        default: break
        }
        guard let slot = event.slot, let channel = table[slot: slot] else {
            // Connections of the library's own have no slot; any other without one must not live.
            return event.reason == LWS_CALLBACK_WSI_DESTROY ? 0 : -1
        }
        channel.wsi = event.wsi
        return handle(event, of: channel)
    }

    private func handle(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: received(event, by: channel)
        case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: write(to: channel, event.wsi)
        case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG: heard(channel)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: peerCloses(event, channel)
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED: noteLibraryCode(event, of: channel)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: confirmUpgrade(event, of: channel)
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: confirmed?.id == channel.id ? 0 : -1
        case LWS_CALLBACK_ESTABLISHED: openedAsServer(channel)
        case LWS_CALLBACK_HTTP: answer(event, of: channel)
        case LWS_CALLBACK_HTTP_WRITEABLE: writeResponse(of: channel, event.wsi)
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: appendHeaders(event, of: channel)
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: noteSubprotocol(event, of: channel)
        case LWS_CALLBACK_CLIENT_ESTABLISHED: openedAsClient(channel)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: connectFailed(event, of: channel)
        case LWS_CALLBACK_WSI_DESTROY: gone(channel)
        // A request body, a redirection, a tunnel (`CONNECT`): none of them is for us.
        default: -1
        }
    }
}

/// What a loop does with its connections.
enum LoopEnd: Sendable {
    /// Serves them.
    case server(ServerEnd)
    /// Connects them.
    case client(ClientConfiguration)

    var label: String {
        switch self {
        case .server: "server"
        case .client: "client"
        }
    }
}
