internal import Logging
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport
internal import PromisedWire

/// Connects the sockets to the request handlers: queues incoming frames and processes them in order.
///
/// The handler's functions run on service threads. Reports, nearly all of the traffic, are answered there unless they
/// must wait; everything else is queued as work. ``run()`` serves connections with queued frames, each in one task
/// and a bounded number at a time, so that an idle connection costs no task and a burst costs little memory.
final class Gateway: ConnectionHandler {
    /// Frames longer than this, in bytes, are not decoded on a service thread, because its other connections would
    /// wait.
    private static let shortFrame = 1024
    /// The number of frames after which a connection moves to the end of the queue, so that none occupies a turn for
    /// long.
    private static let framesPerTurn = 8

    private let connections: Connections
    private let settings: ServerSettings
    private let clock: any WallClock
    private let random: RandomSource
    private let handshakes: HandshakeRules
    private let http: HTTPRoutes
    private let sender: Sender
    private let dispatcher: FrameDispatcher
    private let log: Logger
    private let queue = ServingQueue()

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
        self.log = log
        dispatcher = FrameDispatcher(
            settings: settings,
            clock: clock,
            sender: sender,
            router: router,
            metrics: metrics,
            log: log
        )
        handshakes = HandshakeRules(settings, log: log)
    }

    /// Serves connections until the task is cancelled.
    func run() async { await queue.run(serve: { await self.serve($0) }, complete: { await self.complete($0) }) }

    /// Accepts no more frames, and waits until those in progress are answered, for at most `limit` of real time.
    func finishRequests(within limit: Duration) async { await queue.finish(within: limit) }

    // MARK: - On the service threads

    func shouldAccept(_ handshake: HandshakeInfo) -> HandshakeDecision { handshakes.decide(handshake) }

    func opened(_ id: ConnectionID, _ handshake: HandshakeInfo) {
        let codec = handshake.subprotocol.flatMap { WireCodec(subprotocol: $0.name) } ?? .json
        let address = handshakes.address(of: handshake)
        log.debug("Connection opened", metadata: ["connection": "\(id)", "address": "\(address)"])
        connections.insert(
            Connection(
                id: id,
                codec: codec,
                remoteAddress: address,
                handshake: handshake,
                budget: RequestBudget(settings.limits, at: clock.now),
                at: clock.now,
                random: random
            )
        )
    }

    func source(ofPeer address: String) -> [UInt8]? { handshakes.source(ofPeer: address) }
    func source(of handshake: HandshakeInfo) -> [UInt8]? { ThrottleAddress(handshakes.address(of: handshake)).source }

    func received(_ id: ConnectionID, _ bytes: [UInt8], isText: Bool) -> MessageProcessing {
        guard let connection = connections[id], queue.isOpen else { return .pending }
        let frame = ReceivedFrame(bytes: bytes, receivedAt: clock.now)
        guard bytes.count <= Gateway.shortFrame, let context = connection.beginServing(at: frame.receivedAt) else {
            if connection.enqueue(frame) { queue.start(.frames(of: connection)) }
            return .pending
        }
        guard let work = dispatcher.begin(frame, of: connection, in: context) else {
            connection.endServing()
            return .done
        }
        queue.start(work)
        return .pending
    }

    func closed(_ id: ConnectionID, _ cause: CloseCause) {
        guard let connection = connections.remove(id) else { return }
        log.debug("Connection closed", metadata: ["connection": "\(id)", "code": "\(cause.code)"])
        if connection.markEnded() { queue.start(.frames(of: connection)) }
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        handshakes.lookForProxy(peer: request.remoteAddress, forwardedFor: request.forwardedFor)
        return http.respond(to: request)
    }

    // MARK: - Serving

    private func complete(_ report: FrameDispatcher.BegunReport) async {
        await dispatcher.complete(report)
        sender.processed(report.connection.id, bytes: report.received.bytes.count)
        await goOn(with: report.connection)
    }

    /// Processes the frames of a connection in order, until none is left or its turn ends.
    private func serve(_ connection: Connection) async {
        for _ in 0..<Gateway.framesPerTurn {
            guard let (frame, context) = connection.dequeue() else {
                if connection.isClosed { await dispatcher.router.forget(connection) }
                return queue.end()
            }
            await dispatcher.perform(frame, of: connection, in: context)
            sender.processed(connection.id, bytes: frame.bytes.count)
        }
        await goOn(with: connection)
    }

    /// Puts a connection at the end of the queue; serves it at once if the queue has ended.
    private func goOn(with connection: Connection) async {
        if !queue.goOn(with: connection) { await serve(connection) }
    }
}
