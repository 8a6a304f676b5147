public import Logging
public import PromisedProtocol

/// A client of a promised server: calls with replies, events, and a connection that comes back by itself.
///
/// ```
///            run()                      link open                     signed in, if there is a session
///  offline ─────────▶ connecting ─────────────────▶ signing in ──────────────────────────────────────▶ online
///                         ▲ back-off                                                                     │
///                         └──────────────── lost, or closed 4000–4499 ───────────────────────────────────┘
///                                           closed 4500–4999, or close(): over
/// ```
/// Somebody must run ``run()`` for anything to happen. Calls made while offline wait for the connection, up to the
/// call's time. What is followed with ``follow(_:from:)`` is subscribed to again after each loss; a bare
/// ``subscribe(promiseID:)`` must be made again after each ``ClientNotice/connected``.
///
/// The session of a sign-in is renewed before it ends, and the connection stays (see ``sessions``).
public actor PromisedClient {
    enum Phase {
        case offline
        case signingIn
        case online
        case over
    }

    struct Pending {
        let continuation: CheckedContinuation<Result<WireContent, ClientError>, Never>
        /// On the clock's ``ClientTime/uptime``.
        let deadline: Duration
        /// What the call subscribes a feed to.
        var subscription: Subscription?
    }

    /// How many notices may wait to be read. Who reads more slowly loses the connection for good, rather than an event.
    public static let noticeLimit = 8_192

    /// What the client tells, for one reader; ends when the client is over. Events of promises that are followed come
    /// through their ``PromiseFeed`` alone.
    public nonisolated let notices: AsyncStream<ClientNotice>

    /// Each new session, for one reader, who stores it for ``restore(_:)``; only the latest waits to be read.
    ///
    /// A refresh token is valid once: a session that was replaced is of no use any more. Ends when the client is over.
    public nonisolated let sessions: AsyncStream<WireSession>

    // MARK: - State

    let settings: ClientSettings
    let transport: any ClientTransport
    let time: any ClientTime
    let log: Logger
    let noticeContinuation: AsyncStream<ClientNotice>.Continuation
    let sessionContinuation: AsyncStream<WireSession>.Continuation
    var generator: any RandomNumberGenerator & Sendable
    var phase = Phase.offline
    var link: (any ClientLink)?
    var isRunning = false

    /// How many waits there have been since the last good connection; none before the first.
    var attempt = 0
    /// When something came in last over the present connection.
    var heardAt = Duration.zero
    /// When the present connection came to be online.
    var onlineSince = Duration.zero
    /// No attempt before this moment: a server that refused the `hello` asked for that.
    var notBefore = Duration.zero
    /// Rung by ``close()`` alone, to end the wait between two attempts.
    let ending = Bell()
    /// Ends an attempt to connect.
    var abandon: (@Sendable () -> Void)?

    var lastID: UInt32 = 0
    var pending: [UInt32: Pending] = [:]
    var onlineWaiters: [UInt32: Pending] = [:]

    /// The session of the last sign-in or refresh, with its tokens.
    public internal(set) var currentSession: WireSession?
    /// Whether the session's access token is known to be no good any more, or its refresh token may have been used.
    var mustRefresh = false
    /// When to renew the session; nil: not by the clock.
    var renewsAt: Duration?
    let renewal = Bell()
    /// Whether the present connection is signed in.
    var isSignedIn = false
    /// Whether the server heard this program's name and device on the present connection.
    var hasGreeted = false
    /// The user who is signed in; empty when unknown.
    var userID = ""

    var feeds: [String: Following] = [:]
    var lastFeedNumber = 0
    let feedBell = Bell()
    /// The reporters that follow the server's advice when to report.
    var desks: [ReportingDesk] = []
    /// How often the server wants reports, as its last `welcome` said.
    var reportInterval: Duration?

    /// How often the client has been online so far; names the present connection.
    public internal(set) var connectionCount = 0

    /// A client that is not connected yet.
    ///
    /// - Parameter transport: makes the connections; the client shuts it down when it ends.
    public init(settings: ClientSettings, transport: any ClientTransport, log: Logger) {
        self.init(settings: settings, transport: transport, generator: SystemRandomNumberGenerator(), log: log)
    }

    init(
        settings: ClientSettings,
        transport: any ClientTransport,
        generator: any RandomNumberGenerator & Sendable,
        time: any ClientTime = SystemTime(),
        log: Logger
    ) {
        self.settings = settings
        self.transport = transport
        self.generator = generator
        self.time = time
        self.log = log
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.noticeLimit))
        (sessions, sessionContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Ends the connection and the client; ``run()`` returns after that.
    public func close() {
        phase = .over
        link?.close(code: 1_000)
        abandon?()
        ending.ring()
        endAll(.closed)
        if !isRunning { finishStreams() }
    }

    func tell(_ notice: ClientNotice) {
        guard case .dropped = noticeContinuation.yield(notice) else { return }
        log.error("Notices are read too slowly, the client ends")
        close()
    }

    /// Tells every reader that there is nothing more to come.
    func finishStreams() {
        noticeContinuation.finish()
        sessionContinuation.finish()
        endFeeds()
        for desk in desks { desk.end() }
        desks = []
    }
}
