internal import Logging
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// Between the sockets and the requests: takes frames in and has the desk deal with them in order.
///
/// The handler's functions run on service threads. Reports, of which nearly all traffic consists, are dealt with there
/// as long as nothing must be waited for; everything else is queued. ``run()`` serves connections that have frames
/// waiting, one task each while there are any, so an idle connection costs no task.
final class Gateway: ConnectionHandler {
    let connections: Connections
    private let settings: ServerConfiguration
    private let clock: any WallClock
    private let origins: OriginRule
    private let http: HTTPRoutes
    private let handshakes: Guarded<AttemptThrottle<ThrottleAddress>>
    private let ready: AsyncStream<Ready>
    private let readyContinuation: AsyncStream<Ready>.Continuation
    private let sender: Sender
    private let proxies: TrustedProxies
    private let desk: FrameDesk
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
        self.http = http
        desk = FrameDesk(settings: settings, clock: clock, sender: sender, router: router, metrics: metrics)
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
        switch desk.dealNow(with: &frame, of: connection) {
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
        var begun: FrameDesk.BegunReport?
    }

    /// Deals with the frames of a connection, one after the other, until none waits.
    private func serve(_ next: Ready) async {
        let connection = next.connection
        defer { activity.end() }
        if let report = next.begun {
            await desk.finish(report, of: connection)
            sender.processed(connection.id, bytes: report.received.bytes.count)
        }
        while let frame = connection.dequeue() {
            await desk.deal(with: frame, of: connection)
            sender.processed(connection.id, bytes: frame.bytes.count)
        }
        if connection.state.withLock({ $0.isClosed }) { await desk.router.forget(connection) }
    }
}
