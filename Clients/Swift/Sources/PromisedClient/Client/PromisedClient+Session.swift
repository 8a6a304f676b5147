internal import Logging
public import PromisedProtocol

extension PromisedClient {
    /// Continues a session stored from ``sessions``: the next connection resumes it. To be called before ``run()``.
    public func restore(_ session: WireSession) {
        currentSession = session
        userID = session.user.userID
        mustRefresh = false
        guard let lifetime = lifetime(of: session) else { return }
        mustRefresh = lifetime <= .seconds(10)
        renewsAt = time.uptime + Self.share(of: lifetime)
        renewal.ring()
    }

    /// Takes a session from any reply: it signs in the connection, and the next ones.
    func keep(_ session: WireSession) {
        currentSession = session
        if session.hasUser { userID = session.user.userID }
        mustRefresh = false
        renewsAt = lifetime(of: session).map { time.uptime + Self.share(of: $0) }
        sessionContinuation.yield(session)
        isSignedIn = true
        becomeReady()
    }

    /// Takes the reply to a `hello`.
    func take(_ welcome: WireWelcome) {
        hasGreeted = true
        isSignedIn = true
        if welcome.hasUser { userID = welcome.user.userID }
        if welcome.reportIntervalMs > 0 { reportInterval = .milliseconds(Int64(welcome.reportIntervalMs)) }
        becomeReady()
    }

    /// Forgets the session: it was ended by the user.
    func forgetSession() {
        currentSession = nil
        renewsAt = nil
        mustRefresh = false
        isSignedIn = false
    }

    // MARK: - Coming back

    /// Signs in again, if there is a session, and lets the calls go.
    func resumeSession() async {
        do throws(ClientError) {
            if let session = currentSession { try await resume(session) }
            guard phase == .signingIn else { return }
            becomeOnline()
        } catch .refused(let reply) where Retry(reply.retry) ?? .never == .never {
            log.error("The session could not be resumed", metadata: ["code": "\(reply.code)"])
            close()
        } catch {
            if case .refused(let reply) = error {
                notBefore = time.uptime + .milliseconds(Int64(reply.retryAfterMs))
            }
            link?.close(code: 1_000)
        }
    }

    /// Says hello with the session's token, refreshed when it is no good any more.
    private func resume(_ session: WireSession) async throws(ClientError) {
        if !mustRefresh {
            do throws(ClientError) {
                return try await greet(token: session.accessToken)
            } catch  where error.code == .authTokenInvalid {
                mustRefresh = true
            }
        }
        try await refreshAndGreet(session)
    }

    private func greet(token: String?) async throws(ClientError) {
        _ = try await exchange(.hello(hello(token: token)))
    }

    private func refreshAndGreet(_ session: WireSession) async throws(ClientError) {
        let reply = try await exchange(.refresh(WireRefresh(token: session.refreshToken)))
        guard case .session(let renewed) = reply else { throw .unexpectedReply }
        try await greet(token: renewed.accessToken)
    }

    // MARK: - Renewing in time

    /// Renews the session on the live connection, each time before it ends; until the task is cancelled.
    func keepSessionFresh() async {
        while !Task.isCancelled {
            if phase == .online, isSignedIn, let due = renewsAt, due <= time.uptime {
                await renewSession()
            } else {
                await renewal.wait(until: phase == .online && isSignedIn ? renewsAt : nil, on: time)
            }
        }
    }

    private func renewSession() async {
        guard let session = currentSession else { return }
        // From here on the refresh token may be used up, whether the reply comes or not. The server takes it once more
        // for 60 s, so a connection lost meanwhile makes the next one refresh first.
        mustRefresh = true
        renewsAt = nil
        do throws(ClientError) {
            try await refreshAndGreet(session)
        } catch .refused(let reply) where Retry(reply.retry) == .later {
            renewsAt = time.uptime + max(.milliseconds(Int64(reply.retryAfterMs)), .seconds(5))
        } catch .refused(let reply) {
            log.error("The session could not be renewed", metadata: ["code": "\(reply.code)"])
            close()
        } catch {
            link?.close(code: 1_000)
        }
    }

    /// How long a session's access token is good from now, by the wall clock; nil when it does not say.
    private func lifetime(of session: WireSession) -> Duration? {
        guard session.hasAccessExpiresAt else { return nil }
        return .milliseconds(session.accessExpiresAt.readingMs - time.wallMs)
    }

    /// When to renew: after 80 % of the lifetime. One that no server gives, because the wall clocks differ or the
    /// server's runs faster than ours, is taken for the protocol's 15 minutes.
    private static func share(of lifetime: Duration) -> Duration {
        let isSensible = lifetime > .seconds(10) && lifetime <= .seconds(3_600)
        return (isSensible ? lifetime : .seconds(900)) * 4 / 5
    }

    /// The `hello` that names this program and device.
    func hello(token: String?) -> WireHello {
        var hello = WireHello()
        hello.token = token ?? ""
        hello.client.name = settings.name
        hello.client.version = settings.version
        hello.client.platform = settings.platform
        if let deviceID = settings.deviceID { hello.deviceID = deviceID }
        if let bootID = settings.bootID { hello.bootID = bootID }
        return hello
    }
}

extension WireRefresh {
    init(token: String) {
        self.init()
        refreshToken = token
    }
}
