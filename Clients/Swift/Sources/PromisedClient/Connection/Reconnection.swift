internal import PromisedProtocol

/// How long to wait between attempts: at random up to a bound that doubles ("full jitter"), so that many clients that
/// lost the same server do not come back together.
public struct Backoff: Hashable, Sendable {
    /// The bound before the first attempt.
    public var first: Duration
    /// The largest bound.
    public var longest: Duration

    /// Bounds; by default from 0.25 s to 30 s.
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

/// Where the client stands with its connection, and when it makes the next attempt.
///
/// ```
///            connected()             becameOnline()
///  offline ───────────────▶ signing in ─────────────▶ online
///     ▲                         │                        │
///     └──── lost(…), 4000–4499 ─┴────────────────────────┘
///           lost(…), 4500–4999, or close(): over
/// ```
struct Reconnection: Sendable {
    enum Phase: Hashable, Sendable {
        case offline
        case signingIn
        case online
        case over
    }

    /// What a loss of the connection leads to.
    struct Loss: Hashable, Sendable {
        var willReconnect: Bool
        /// `true` if the client comes back with another access token.
        var mustRefresh = false
    }

    private(set) var phase = Phase.offline
    /// `true` once the client runs; it runs once.
    private(set) var isRunning = false
    /// How often the client has been online so far; names the present connection.
    private(set) var count = 0
    private let backoff: Backoff
    private let steadyAfter: Duration
    private var generator: any RandomNumberGenerator & Sendable
    /// How many waits there have been since the last good connection; none before the first.
    private var attempt = 0
    /// When the present connection came to be online.
    private var onlineSince = Duration.zero
    /// No attempt before this moment: a server that refused the `hello` asked for that.
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

    /// The client is over.
    mutating func close() { phase = .over }

    // MARK: - Attempts

    /// Draws when to make the next attempt: as the back-off says, and at least as late as the server asked for.
    mutating func nextAttempt(at now: Duration) -> Duration {
        let wait = attempt > 0 ? backoff.wait(attempt: attempt - 1, using: &generator) : .zero
        return max(now + wait, notBefore)
    }

    /// An attempt begins.
    mutating func attempts() { attempt += 1 }

    /// The server refused the sign-in for now.
    mutating func postpone(by wait: Duration, at now: Duration) { notBefore = now + wait }

    // MARK: - Connections

    /// A link is open; it is not signed in yet.
    mutating func connected() { phase = .signingIn }

    /// The connection may carry everything now.
    mutating func becameOnline(at now: Duration) {
        phase = .online
        count += 1
        onlineSince = now
    }

    /// The connection ended with a code.
    mutating func lost(code: UInt16, hasSession: Bool, at now: Duration) -> Loss {
        guard phase != .over else { return Loss(willReconnect: false) }
        let wasOnline = phase == .online
        // After a loss the client waits before it comes back, like everybody who lost the same server; longer and
        // longer while connections end as soon as they are made.
        if wasOnline, now - onlineSince >= steadyAfter { attempt = 1 }
        // A token that expired may be refreshed once per connection that was good.
        let mayRefresh = code == CloseCode.tokenInvalid.rawValue && hasSession && wasOnline
        let willReconnect = CloseCode.mayReconnect(after: code) || mayRefresh
        phase = willReconnect ? .offline : .over
        return Loss(willReconnect: willReconnect, mustRefresh: mayRefresh)
    }
}
