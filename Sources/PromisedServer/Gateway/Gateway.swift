internal import Logging
internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport
internal import PromisedWire

/// Between the sockets and the requests: takes frames in and has the desk deal with them in order.
///
/// The handler's functions run on service threads. Reports, of which nearly all traffic consists, are dealt with there
/// as long as nothing must be waited for; everything else is queued as work. ``run()`` serves connections that have
/// frames waiting, one task each while there are any and not too many at once, so that an idle connection costs no task
/// and a storm of them little memory.
final class Gateway: ConnectionHandler {
    let connections: Connections
    private let settings: ServerSettings
    private let clock: any WallClock
    private let random: RandomSource
    private let origins: OriginRule
    private let http: HTTPRoutes
    private let handshakes: Guarded<AddressThrottle>
    private let work: AsyncStream<FrameDesk.Work>
    private let workContinuation: AsyncStream<FrameDesk.Work>.Continuation
    private let turns = Guarded(Turns())
    private let sender: Sender
    private let proxies: TrustedProxies
    private let proxyNotice: ProxyNotice
    private let desk: FrameDesk
    private let log: Logger
    private let activity = Activity()
    /// Longer frames, in bytes, are not even decoded on a service thread, which others wait for.
    private static let shortFrame = 1024
    /// So many connections are served at the same time at most, for a request takes up to 25 kB while it is answered:
    /// about twice as many as wait for passwords to be hashed, which takes longest.
    private static let servedAtOnce = 128
    /// After so many frames a connection goes to the end of the queue: nobody keeps their place by sending more.
    private static let framesPerTurn = 8
    private let isDraining = Guarded(false)

    init(
        settings: ServerSettings,
        clock: any WallClock,
        random: RandomSource,
        connections: Connections,
        sender: Sender,
        router: RequestRouter,
        http: HTTPRoutes,
        metrics: RequestMetrics,
        log: Logger
    ) {
        self.settings = settings
        self.clock = clock
        self.random = random
        self.connections = connections
        self.sender = sender
        self.http = http
        desk = FrameDesk(settings: settings, clock: clock, sender: sender, router: router, metrics: metrics)
        proxies = TrustedProxies(settings.listen.trustedProxies)
        proxyNotice = ProxyNotice(trustsProxies: !settings.listen.trustedProxies.isEmpty)
        self.log = log
        origins = OriginRule(allowed: settings.web.origins)
        handshakes = Guarded(.handshakes(settings.throttle))
        // Bounded by the number of connections: each is in it once until it is served.
        (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Serves connections until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await next in work {
                switch next {
                case .frames(let connection):
                    if turns.withLock({ $0.begin(connection) }) {
                        group.addTask { await self.takeTurns(from: connection) }
                    }
                // The report is in the session and others wait for its news, so it has no limit.
                case .report(let report): group.addTask { await self.complete(report) }
                }
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
        lookForProxy(peer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
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
                at: clock.now,
                random: random
            )
        )
    }

    /// Proxies of ours are not counted: their clients are, once the request names them.
    func source(ofPeer address: String) -> [UInt8]? {
        proxies.contains(address) ? nil : ThrottleAddress(address).source
    }

    func source(of handshake: HandshakeInfo) -> [UInt8]? { ThrottleAddress(address(of: handshake)).source }

    /// The client's address, as far as proxies of ours tell it.
    private func address(of handshake: HandshakeInfo) -> String {
        proxies.client(peer: handshake.remoteAddress, forwardedFor: handshake.forwardedFor)
    }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        guard let connection = connections[id], !isDraining.withLock({ $0 }) else { return .pending }
        let frame = ReceivedFrame(bytes: bytes, receivedAt: clock.now)
        guard bytes.count <= Gateway.shortFrame, let context = connection.beginServing(at: frame.receivedAt) else {
            if connection.enqueue(frame) { start(.frames(of: connection)) }
            return .pending
        }
        guard let work = desk.begin(frame, of: connection, in: context) else {
            connection.endServing()
            return .done
        }
        start(work)
        return .pending
    }

    private func start(_ next: FrameDesk.Work) {
        activity.begin()
        workContinuation.yield(next)
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
        if mustStart { start(.frames(of: connection)) }
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        lookForProxy(peer: request.remoteAddress, forwardedFor: request.forwardedFor)
        return http.respond(to: request)
    }

    private func lookForProxy(peer: String, forwardedFor: String?) {
        guard proxyNotice.isDue(peer: peer, forwardedFor: forwardedFor) else { return }
        log.warning("A proxy on this machine is not trusted, so no limit per address holds; set listen.trusted-proxies")
    }

    // MARK: - Serving

    /// The connections that are being served, ``servedAtOnce`` at most, and those that wait, first come first served.
    private struct Turns: Sendable {
        private var running = 0
        private var waiting: [Connection] = []

        /// Asks for a turn.
        ///
        /// - Returns: whether it begins now; otherwise the connection waits.
        mutating func begin(_ connection: Connection) -> Bool {
            guard running < Gateway.servedAtOnce else {
                waiting.append(connection)
                return false
            }
            running += 1
            return true
        }

        /// Ends a turn.
        ///
        /// - Returns: the connection whose turn begins; nil when none waits.
        mutating func next() -> Connection? {
            guard waiting.isEmpty else { return waiting.removeFirst() }
            running -= 1
            return nil
        }
    }

    private func takeTurns(from first: Connection) async {
        var next: Connection? = first
        while let connection = next {
            await serve(connection)
            next = turns.withLock { $0.next() }
        }
    }

    private func complete(_ report: FrameDesk.BegunReport) async {
        await desk.complete(report)
        sender.processed(report.connection.id, bytes: report.received.bytes.count)
        await goOn(with: report.connection)
    }

    /// Deals with the frames of a connection, one after the other, until none waits or others have their turn.
    private func serve(_ connection: Connection) async {
        for _ in 0..<Gateway.framesPerTurn {
            guard let (frame, context) = connection.dequeue() else {
                if connection.state.withLock({ $0.isClosed }) { await desk.router.forget(connection) }
                return activity.end()
            }
            await desk.perform(frame, of: connection, in: context)
            sender.processed(connection.id, bytes: frame.bytes.count)
        }
        await goOn(with: connection)
    }

    /// Puts a connection at the end of the queue; when that takes nothing any more, serves it here and now.
    private func goOn(with connection: Connection) async {
        if case .terminated = workContinuation.yield(.frames(of: connection)) { await serve(connection) }
    }
}
