internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// Between the sockets and the requests: takes frames in, has them served in order, sends what comes back.
///
/// The handler's functions run on service threads and only queue. ``run()`` serves connections that have frames
/// waiting, one task each while there are any, so an idle connection costs no task.
final class Gateway: ConnectionHandler {
    let connections: Connections
    let router: RequestRouter
    private let settings: ServerConfiguration
    private let clock: any WallClock
    private let origins: OriginRule
    private let http: HTTPRoutes
    private let handshakes: Guarded<AttemptThrottle<ThrottleAddress>>
    private let ready: AsyncStream<Connection>
    private let readyContinuation: AsyncStream<Connection>.Continuation
    private let sender: Sender
    private let proxies: TrustedProxies
    private let metrics: RequestMetrics
    private let log: Logger
    private let activity = Activity()
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
            for await connection in ready {
                group.addTask { await self.serve(connection) }
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

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) {
        guard let connection = connections[id] else { return }
        guard !isDraining.withLock({ $0 }) else { return }
        let frame = ReceivedFrame(bytes: bytes, receivedAt: clock.now)
        guard connection.enqueue(frame) else { return }
        activity.begin()
        readyContinuation.yield(connection)
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
        guard mustStart else { return }
        activity.begin()
        readyContinuation.yield(connection)
    }

    func respond(to request: HTTPRequest) -> HTTPResponse { http.respond(to: request) }

    // MARK: - Serving

    /// Deals with the frames of a connection, one after the other, until none waits.
    private func serve(_ connection: Connection) async {
        defer { activity.end() }
        while let frame = connection.dequeue() {
            await deal(with: frame, of: connection)
            sender.processed(connection.id, bytes: frame.bytes.count)
        }
        if connection.state.withLock({ $0.isClosed }) { await router.forget(connection) }
    }

    private func deal(with received: ReceivedFrame, of connection: Connection) async {
        let receivedAt = received.receivedAt
        let frame: WireClientFrame
        do {
            frame = try connection.codec.decodeClientFrame(received.bytes)
        } catch {
            metrics.malformedFrame()
            return sender.close(connection, .malformedFrame)
        }
        let began = received.instant
        let kind = RequestKind(frame.request)
        do throws(RequestError) {
            try admit(frame, of: connection, at: receivedAt)
            guard let request = frame.request else {
                throw RequestError(connection.isAdmitted ? .requestUnknown : .authRequired)
            }
            guard let content = try await router.reply(to: request, of: connection, id: frame.id, at: receivedAt)
            else { return metrics.answered(kind, with: nil, after: .now - began) }
            metrics.answered(kind, with: content, after: .now - began)
            if frame.wantsReply { sender.send(WireServerFrame(id: frame.id, content: content), to: connection) }
            if case .signOut = request { sender.close(connection, .sessionRevoked) }
        } catch {
            metrics.refused(kind, with: error.code, after: .now - began)
            sender.send(WireServerFrame(id: frame.id, error: error.reply), to: connection)
            if let code = error.closing { sender.close(connection, code) }
        }
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
