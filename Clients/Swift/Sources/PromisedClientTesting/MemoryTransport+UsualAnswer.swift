public import PromisedProtocol

extension MemoryTransport {
    /// The answer of a server where everything succeeds: one user, `ann`, and promises that are empty.
    ///
    /// A script falls back on it for whatever its test is not about.
    public static func usualAnswer(to request: WireRequest) -> WireContent? {
        switch request {
        case .signUp, .signIn, .refresh, .changePassword: .session(session)
        case .hello: .welcome(welcome)
        case .syncClock(let request): .clock(clock(for: request))
        case .subscribe(let request): .subscribed(snapshot(of: request.promiseID))
        case .report(let report): .reported(receipt(for: report))
        default: .done(WireDone())
        }
    }

    /// The tokens are `access` and `refresh`.
    private static var session: WireSession {
        var session = WireSession()
        session.accessToken = "access"
        session.refreshToken = "refresh"
        session.user.userID = "ann"
        session.user.nickname = "ann"
        return session
    }

    private static var welcome: WireWelcome {
        var welcome = WireWelcome()
        welcome.user.userID = "ann"
        welcome.user.nickname = "ann"
        return welcome
    }

    /// The server's clock shows what the client's does.
    private static func clock(for request: WireSyncClock) -> WireClock {
        var clock = WireClock()
        if request.hasUptimeMs { clock.uptimeMs = request.uptimeMs }
        if request.hasClientTimeMs {
            clock.clientTimeMs = request.clientTimeMs
            if let reading = WireTimestamp(readingMs: request.clientTimeMs) {
                clock.receivedAt = reading
                clock.sentAt = reading
            }
        }
        return clock
    }

    private static func snapshot(of promiseID: String) -> WireSubscribed {
        var reply = WireSubscribed()
        reply.epoch = "memory"
        reply.snapshot.promiseID = promiseID
        reply.nextReportMs = 1
        return reply
    }

    /// All fixes are taken, and the next report is wanted at once.
    private static func receipt(for report: WireReport) -> WireReported {
        var receipt = WireReported()
        receipt.taken = report.fixes.map(\.seq)
        receipt.nextReportMs = 1
        return receipt
    }
}
