internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// Between the sockets and the requests: takes frames in, has them served in order, sends what comes back.
///
/// The handler's functions run on service threads. Reports, of which nearly all traffic consists, are dealt with there
/// as long as nothing must be waited for; everything else is queued. ``run()`` serves connections that have frames
/// waiting, one task each while there are any, so an idle connection costs no task.
final class Gateway: ConnectionHandler {
    let connections: Connections
    let router: RequestRouter
    private let settings: ServerConfiguration
    private let clock: any WallClock
    private let origins: OriginRule
    private let http: HTTPRoutes
    private let handshakes: Guarded<AttemptThrottle<ThrottleAddress>>
    private let ready: AsyncStream<Ready>
    private let readyContinuation: AsyncStream<Ready>.Continuation
    private let sender: Sender
    private let proxies: TrustedProxies
    private let metrics: RequestMetrics
    private let log: Logger
    private let activity = Activity()
    /// Longer frames, in bytes, are not even decoded on a service thread, which others wait for.
    private static let shortFrame = 1024
    private let isDraining = Guarded(false)

    init(
        settings: ServerConfiguration,
        clock: any WallClock,
        connections: Connections,
        sender: Sender,
        router: RequestRouter,
        http: HTTPRoutes,
        metrics: RequestMetrics,
        log: Logger
    ) {
        self.settings = settings
        self.clock = clock
        self.connections = connections
        self.sender = sender
        self.router = router
        self.http = http
        self.metrics = metrics
        proxies = TrustedProxies(settings.listen.trustedProxies)
        self.log = log
        origins = OriginRule(allowed: settings.web.origins)
        handshakes = Guarded(.handshakes(settings.throttle))
        // Bounded by the number of connections: each is in it once until it is served.
        (ready, readyContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Serves connections until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await next in ready {
                group.addTask { await self.serve(next) }
            }
        }
    }

    /// Takes no more frames and waits until those that are being dealt with are answered, but no longer than `limit` of
    /// real time.
    func finishRequests(within limit: Duration) async {
        isDraining.withLock { $0 = true }
        await activity.quiet(within: limit)
    }

    // MARK: - On the service threads

    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision {
        guard origins.allows(handshake.origin, host: handshake.host) else { return .refuse(status: 403) }
        let address = ThrottleAddress(address(of: handshake))
        let wait = handshakes.withLock { $0.attempt(from: address, at: .now) }
        return wait == nil ? .accept : .refuse(status: 429)
    }

    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo) {
        let codec = handshake.subprotocol.flatMap { WireCodec(subprotocol: $0.name) } ?? .json
        let budget = RequestBudget(settings.limits, at: clock.now)
        let address = address(of: handshake)
        log.debug("Connection opened", metadata: ["connection": "\(id)", "address": "\(address)"])
        connections.insert(
            Connection(
                id: id,
                codec: codec,
                remoteAddress: address,
                handshake: handshake,
                budget: budget,
                at: clock.now
            )
        )
    }

    /// The client's address, as far as proxies of ours tell it.
    private func address(of handshake: HandshakeInfo) -> String {
        proxies.client(peer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
    }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        guard let connection = connections[id], !isDraining.withLock({ $0 }) else { return .pending }
        var frame = ReceivedFrame(bytes: bytes, receivedAt: clock.now)
        guard bytes.count <= Gateway.shortFrame, connection.beginServing() else {
            if connection.enqueue(frame) { startServing(Ready(connection: connection)) }
            return .pending
        }
        switch dealNow(with: &frame, of: connection) {
        case .done:
            connection.endServing()
            return .done
        case .begun(let report): startServing(Ready(connection: connection, begun: report))
        case .later:
            connection.putFirst(frame)
            startServing(Ready(connection: connection))
        }
        return .pending
    }

    private func startServing(_ next: Ready) {
        activity.begin()
        readyContinuation.yield(next)
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {
        guard let connection = connections.remove(id) else { return }
        log.debug("Connection closed", metadata: ["connection": "\(id)", "code": "\(cause.code)"])
        let mustStart = connection.state.withLock { state in
            state.isClosed = true
            state.inbox = []
            defer { state.isServed = true }
            return !state.isServed && state.isAdmitted
        }
        if mustStart { startServing(Ready(connection: connection)) }
    }

    func respond(to request: HTTPRequest) -> HTTPResponse { http.respond(to: request) }

    // MARK: - Serving

    /// A connection that somebody must serve.
    private struct Ready: Sendable {
        let connection: Connection
        /// What comes before the frames that wait.
        var begun: BegunReport?
    }

    /// A report that its session has, and of which something must be waited for. It is finished in any case: what follows
    /// from it concerns others too, even when its connection has ended.
    private struct BegunReport: Sendable {
        let received: ReceivedFrame
        let frame: WireClientFrame
        let session: PromiseSession
        let pending: PromiseSession.Pending
    }

    /// How far a frame was dealt with at once.
    private enum Progress {
        case done
        case begun(BegunReport)
        case later
    }

    /// Deals with the frames of a connection, one after the other, until none waits.
    private func serve(_ next: Ready) async {
        let connection = next.connection
        defer { activity.end() }
        if let report = next.begun {
            await finish(report, of: connection)
            sender.processed(connection.id, bytes: report.received.bytes.count)
        }
        while let frame = connection.dequeue() {
            await deal(with: frame, of: connection)
            sender.processed(connection.id, bytes: frame.bytes.count)
        }
        if connection.state.withLock({ $0.isClosed }) { await router.forget(connection) }
    }

    /// Deals with a frame at once as far as nothing must be waited for.
    private func dealNow(with received: inout ReceivedFrame, of connection: Connection) -> Progress {
        guard let frame = decode(received, of: connection) else { return .done }
        received.content = frame
        guard case .report(let report) = frame.request, let session = connection.sessionHere(for: report) else {
            return .later
        }
        do throws(RequestError) {
            try admit(frame, of: connection, at: received.receivedAt)
            switch try router.report(report, of: connection, to: session, at: received.receivedAt) {
            case .done(let reply): answer(frame, of: connection, with: try router.live.content(of: reply), received)
            case .pending(let pending):
                return .begun(BegunReport(received: received, frame: frame, session: session, pending: pending))
            }
        } catch {
            refuse(frame, of: connection, with: error, received)
        }
        return .done
    }

    private func finish(_ report: BegunReport, of connection: Connection) async {
        do throws(RequestError) {
            let reply = try await router.live.finish(report.pending, of: report.session)
            answer(report.frame, of: connection, with: reply, report.received)
        } catch {
            refuse(report.frame, of: connection, with: error, report.received)
        }
    }

    private func deal(with received: ReceivedFrame, of connection: Connection) async {
        guard let frame = received.content ?? decode(received, of: connection) else { return }
        let receivedAt = received.receivedAt
        do throws(RequestError) {
            try admit(frame, of: connection, at: receivedAt)
            guard let request = frame.request else {
                throw RequestError(connection.isAdmitted ? .requestUnknown : .authRequired)
            }
            let reply = try await router.reply(to: request, of: connection, id: frame.id, at: receivedAt)
            answer(frame, of: connection, with: reply, received)
            if case .signOut = request { sender.close(connection, .sessionRevoked) }
        } catch {
            refuse(frame, of: connection, with: error, received)
        }
    }

    /// What a frame says; nil when it is none, and the connection is closed.
    private func decode(_ received: ReceivedFrame, of connection: Connection) -> WireClientFrame? {
        do {
            return try connection.codec.decodeClientFrame(received.bytes)
        } catch {
            metrics.malformedFrame()
            sender.close(connection, .malformedFrame)
            return nil
        }
    }

    /// - Parameter reply: nil where it has been sent already.
    private func answer(
        _ frame: WireClientFrame,
        of connection: Connection,
        with reply: WireContent?,
        _ received: ReceivedFrame
    ) {
        metrics.answered(RequestKind(frame.request), with: reply, after: .now - received.instant)
        guard frame.wantsReply, let reply else { return }
        sender.send(WireServerFrame(id: frame.id, content: reply), to: connection)
    }

    private func refuse(
        _ frame: WireClientFrame,
        of connection: Connection,
        with error: RequestError,
        _ received: ReceivedFrame
    ) {
        metrics.refused(RequestKind(frame.request), with: error.code, after: .now - received.instant)
        sender.send(WireServerFrame(id: frame.id, error: error.reply), to: connection)
        if let code = error.closing { sender.close(connection, code) }
    }

    /// How often, and how much before the sign-in.
    private func admit(_ frame: WireClientFrame, of connection: Connection, at now: Instant) throws(RequestError) {
        let (answer, isBeyondSignIn) = connection.state.withLock { state in
            if !state.isAdmitted { state.requestsBeforeSignIn += 1 }
            let isBeyond = !state.isAdmitted && state.requestsBeforeSignIn > settings.limits.requestsBeforeSignIn
            return (state.budget.request(at: now), isBeyond)
        }
        if isBeyondSignIn {
            var error = RequestError(.authRequired)
            error.closing = .noSignIn
            throw error
        }
        switch answer {
        case .allowed: return
        case .refused(let retryAfter): throw RequestError(.limitRate, retryAfter: real(retryAfter))
        case .exhausted:
            var error = RequestError(.limitRate)
            error.closing = .rate
            throw error
        }
    }

    /// A span of the server's clock as real time.
    private func real(_ span: TimeSpan) -> Duration {
        .milliseconds(Int64((Double(span.milliseconds) / clock.rate).rounded(.up)))
    }
}
