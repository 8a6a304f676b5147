internal import PromisedProtocol

/// The wait between attempts: random up to a bound that doubles ("full jitter"), so that clients that lost the same
/// server reconnect at different times.
public struct Backoff: Hashable, Sendable {
    /// The bound before the first attempt.
    public var first: Duration
    /// The largest bound.
    public var longest: Duration

    /// Creates a back-off; by default from 0.25 s to 30 s.
    public init(first: Duration = .milliseconds(250), longest: Duration = .seconds(30)) {
        self.first = first
        self.longest = longest
    }

    /// The wait before attempt number `attempt`, counted from 0 after a loss or a success.
    public func wait(attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = min(first * (1 << min(attempt, 16)), longest)
        return bound * Double.random(in: 0...1, using: &generator)
    }
}

/// The state of the client's connection, and the time of the next attempt.
///
/// ```
///            connected()             becameOnline()
///  offline ───────────────▶ signing in ─────────────▶ online
///     ▲                         │                        │
///     └──── lost(…), 4000–4499, ┴────────────────────────┘
///           the first 4502
///           lost(…), other 4500–4999, or close(): over
/// ```
struct Reconnection: Sendable {
    enum Phase: Hashable, Sendable {
        case offline, signingIn, online, over
    }

    /// The consequence of a lost connection.
    struct Loss: Hashable, Sendable {
        var willReconnect: Bool
        /// `true` if the client reconnects with another access token.
        var mustRefresh = false
    }

    private(set) var phase = Phase.offline
    /// `true` once the client runs; it runs once.
    private(set) var isRunning = false
    /// How often the client has been online; identifies the current connection.
    private(set) var count = 0
    private let backoff: Backoff
    private let steadyAfter: Duration
    private var generator: any RandomNumberGenerator & Sendable
    /// The number of waits since the last good connection; 0 before the first.
    private var attempt = 0
    /// When the current connection became online.
    private var onlineSince = Duration.zero
    /// How often the server could not decode a frame of this client.
    private var malformedFrames = 0
    /// `true` once the client could not decode a frame of the server.
    private var isGarbled = false
    /// The earliest moment of the next attempt, as requested by a server that refused the `hello`.
    private var notBefore = Duration.zero

    init(_ settings: ClientSettings, generator: any RandomNumberGenerator & Sendable) {
        backoff = settings.backoff
        steadyAfter = settings.steadyAfter
        self.generator = generator
    }

    /// - Returns: `false` if the client ran already.
    mutating func run() -> Bool {
        defer { isRunning = true }
        return !isRunning
    }

    mutating func close() { phase = .over }

    /// Records that the client cannot decode the server's frames: the current connection is the last.
    mutating func giveUp() { isGarbled = true }

    // MARK: - Attempts

    /// Draws the moment of the next attempt: by the back-off, and no earlier than the server requested.
    mutating func nextAttempt(at now: Duration) -> Duration {
        let wait = attempt > 0 ? backoff.wait(attempt: attempt - 1, using: &generator) : .zero
        return max(now + wait, notBefore)
    }

    mutating func attempts() { attempt += 1 }

    /// The server refused the sign-in temporarily.
    mutating func postpone(by wait: Duration, at now: Duration) { notBefore = now + wait }

    // MARK: - Connections

    /// Records that a link is open; it is not signed in yet.
    mutating func connected() { phase = .signingIn }

    mutating func becameOnline(at now: Duration) {
        phase = .online
        count += 1
        onlineSince = now
    }

    /// Records that the connection ended with a code.
    mutating func lost(code: UInt16, hasSession: Bool, at now: Duration) -> Loss {
        guard phase != .over else { return Loss(willReconnect: false) }
        let wasOnline = phase == .online
        // After a loss the client waits like all clients of that server; longer each time while connections end right
        // after they are made.
        if wasOnline, now - onlineSince >= steadyAfter { attempt = 1 }
        // An expired token may be refreshed once per good connection.
        let mayRefresh = code == CloseCode.tokenInvalid.rawValue && hasSession && wasOnline
        // A single malformed frame may be an accident; a client of another protocol version would repeat such frames.
        if code == CloseCode.malformedFrame.rawValue { malformedFrames += 1 }
        let isFirstFault = code == CloseCode.malformedFrame.rawValue && malformedFrames == 1
        let willReconnect = !isGarbled && (CloseCode.mayReconnect(after: code) || mayRefresh || isFirstFault)
        phase = willReconnect ? .offline : .over
        return Loss(willReconnect: willReconnect, mustRefresh: mayRefresh)
    }
}
