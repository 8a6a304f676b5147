internal import PromisedProtocol

/// The session with its tokens, and its state on the current connection.
struct SessionKeeper: Sendable {
    /// The session of the last sign-in or refresh.
    private(set) var current: WireSession?
    /// The signed-in user; empty if unknown.
    private(set) var userID = ""
    /// `true` if the current connection is signed in.
    private(set) var isSignedIn = false
    /// `true` if program and device were sent on the current connection.
    private(set) var hasGreeted = false
    /// `true` if the session's access token is known to be invalid, or its refresh token may have been used.
    private(set) var mustRefresh = false
    /// When to renew the session; nil: no renewal is scheduled.
    private(set) var renewsAt: Duration?
    /// Signalled when ``renewsAt`` may be earlier than before.
    let wakeSignal = WakeSignal()

    // MARK: - Sessions

    /// Applies a stored session, which signs in the next connection.
    mutating func restore(_ session: WireSession, at time: some ClientTime) {
        current = session
        userID = session.user.userID
        (mustRefresh, renewsAt) = (false, nil)
        guard let lifetime = Self.lifetime(of: session, at: time) else { return }
        mustRefresh = lifetime <= .seconds(10)
        renewsAt = time.uptime + Self.share(of: lifetime)
        wakeSignal.signal()
    }

    /// Stores a session from a reply, which signs in the current connection as well.
    mutating func keep(_ session: WireSession, at time: some ClientTime) {
        current = session
        if session.hasUser { userID = session.user.userID }
        mustRefresh = false
        renewsAt = Self.lifetime(of: session, at: time).map { time.uptime + Self.share(of: $0) }
        isSignedIn = true
    }

    /// Applies the reply to a `hello`.
    mutating func take(_ welcome: WireWelcome) {
        hasGreeted = true
        isSignedIn = true
        if welcome.hasUser { userID = welcome.user.userID }
    }

    mutating func forget() {
        current = nil
        renewsAt = nil
        mustRefresh = false
        isSignedIn = false
    }

    /// Resets the state of the connection.
    mutating func connectionLost() {
        isSignedIn = false
        hasGreeted = false
    }

    // MARK: - Tokens

    /// Records that the server refused the access token: the next sign-in refreshes it first.
    mutating func accessRefused() { mustRefresh = true }

    /// Starts a renewal.
    ///
    /// The refresh token may be used up from now on, with or without a reply. The server accepts it once more for 60 s,
    /// so after a lost connection the next one refreshes first.
    mutating func renewalBegins() {
        mustRefresh = true
        renewsAt = nil
    }

    /// The renewal was refused temporarily.
    mutating func renewalPostponed(by wait: Duration, at now: Duration) { renewsAt = now + max(wait, .seconds(5)) }

    /// How long a session's access token is valid from now, by the wall clock; nil if the session does not say.
    private static func lifetime(of session: WireSession, at time: some ClientTime) -> Duration? {
        guard session.hasAccessExpiresAt else { return nil }
        return .milliseconds(session.accessExpiresAt.readingMs - time.wallMs)
    }

    /// When to renew: after 80 % of the lifetime. An impossible lifetime, because the wall clocks differ or the
    /// server's is scaled, is replaced by the protocol's 15 minutes.
    private static func share(of lifetime: Duration) -> Duration {
        let isSensible = lifetime > .seconds(10) && lifetime <= .seconds(3_600)
        return (isSensible ? lifetime : .seconds(900)) * 4 / 5
    }
}

extension WireHello {
    /// The `hello` that names this program and device.
    init(_ settings: ClientSettings, token: String?) {
        self.init()
        self.token = token ?? ""
        client.name = settings.name
        client.version = settings.version
        client.platform = settings.platform
        if let deviceID = settings.deviceID { self.deviceID = deviceID }
        if let bootID = settings.bootID { self.bootID = bootID }
        if settings.isStrict { strict = true }
    }
}

extension WireRefresh {
    init(token: String) {
        self.init()
        refreshToken = token
    }
}
