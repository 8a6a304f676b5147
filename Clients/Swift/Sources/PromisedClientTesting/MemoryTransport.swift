public import PromisedClient
internal import PromisedConcurrency
public import PromisedProtocol

/// A server in memory, for tests of apps: it answers by a script, and sends a test's events.
///
/// ```swift
/// let server = MemoryTransport()
/// let client = PromisedClient(settings: settings, transport: server, log: log)
/// async let running: Void = client.run()
/// _ = try await client.signIn(email: "ann@meet.example", password: "correct horse")
/// server.send(event)
/// ```
public final class MemoryTransport: ClientTransport {
    /// The server's answer to a request: a reply or an error; nil for no answer.
    public typealias Script = @Sendable (WireRequest) -> WireContent?

    /// The reason that an attempt to connect failed.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A sentence for people.
        public let description: String
    }

    private struct State: Sendable {
        var links: [MemoryLink] = []
        var failures: [Failure] = []
        var connectionCount = 0
    }

    /// The client's requests in order, for one reader.
    public let requests: AsyncStream<WireRequest>

    private let script: Script
    private let requestContinuation: AsyncStream<WireRequest>.Continuation
    private let state = Guarded(State())

    /// Creates a server that answers by a script; by default ``usualAnswer(to:)``.
    public init(_ script: @escaping Script = MemoryTransport.usualAnswer) {
        self.script = script
        (requests, requestContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// How often a client has connected.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    // MARK: - Calls of a test

    /// Sends an event over every connection.
    public func send(_ event: WireEvent) {
        for link in openLinks() { link.receive(WireServerFrame(event: event)) }
    }

    /// Ends every connection: 1006 simulates a broken one, another code a close by the server.
    public func disconnect(code: UInt16 = 1_006) {
        for link in openLinks() { link.close(code: code) }
    }

    /// Makes the next attempt to connect fail. Several calls affect as many attempts.
    public func failNextAttempt(_ reason: String) {
        state.withLock { $0.failures.append(Failure(description: reason)) }
    }

    // MARK: - Calls of a client

    /// Connects at once, or fails if a test requested that.
    public func connect(_ request: LinkRequest) async throws -> MemoryLink {
        let link = MemoryLink(codec: request.codec) { [script, requestContinuation] request in
            requestContinuation.yield(request)
            return script(request)
        }
        let failure = state.withLock { state -> Failure? in
            guard state.failures.isEmpty else { return state.failures.removeFirst() }
            state.links.append(link)
            state.connectionCount += 1
            return nil
        }
        if let failure { throw failure }
        return link
    }

    /// Ends every connection and ``requests``.
    public func shutDown() async {
        disconnect(code: 1_000)
        requestContinuation.finish()
    }

    private func openLinks() -> [MemoryLink] {
        state.withLock { state in
            state.links.removeAll(where: \.isClosed)
            return state.links
        }
    }
}

extension MemoryTransport {
    /// The answer of a server where every request succeeds: one user, `ann`, and empty promises.
    ///
    /// A script delegates requests outside its test to it.
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

    /// A clock that shows the client's time.
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

    /// A receipt that accepts all fixes, with the next report due at once.
    private static func receipt(for report: WireReport) -> WireReported {
        var receipt = WireReported()
        receipt.taken = report.fixes.map(\.seq)
        receipt.nextReportMs = 1
        return receipt
    }
}
