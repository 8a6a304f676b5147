package import CoreMetrics
package import Logging
package import PromisedApplication
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
internal import PromisedProtocol
package import PromisedSettings
internal import PromisedWire

/// Connects whatever carries connections to the use cases: queues incoming frames and processes them in order.
///
/// ``opened(_:_:)``, ``received(_:_:)`` and ``closed(_:)`` must be called one after the other for a connection, and
/// never wait. Reports, nearly all of the traffic, are answered at once unless they must wait; everything else is
/// queued as work. ``run()`` serves connections with queued frames, each in one task and a bounded number at a time, so
/// that an idle connection costs no task and a burst costs little memory.
package final class Gateway: Sendable {
    /// Frames longer than this, in bytes, are not decoded at once, because other connections of the calling thread
    /// would wait.
    private static let shortFrame = 1024
    /// The number of frames after which a connection moves to the end of the queue, so that none occupies a turn for
    /// long.
    private static let framesPerTurn = 8

    private let connections: Connections
    private let settings: ServerSettings
    private let clock: any WallClock
    private let random: RandomSource
    private let sender: Sender
    private let dispatcher: FrameDispatcher
    private let tokens: TokenWatch
    private let log: Logger
    private let queue = ServingQueue()

    /// - Parameters:
    ///   - peers: the connections that the gateway serves.
    ///   - process: for the administrators' requests about the server.
    ///   - pauses: measures the time between checks of tokens; real time outside simulations.
    package init(
        _ peers: Peers,
        _ application: Application,
        process: any HostProcess,
        settings: ServerSettings,
        clock: any WallClock,
        random: RandomSource,
        pauses: any Clock<Duration> = .continuous,
        metrics: any MetricsFactory,
        log: Logger
    ) {
        self.settings = settings
        self.clock = clock
        self.random = random
        self.log = log
        connections = peers.connections
        sender = peers.sender
        dispatcher = FrameDispatcher(
            settings: settings,
            clock: clock,
            sender: sender,
            router: RequestRouter(application, peers, process: process, settings: settings, clock: clock, log: log),
            metrics: RequestMetrics(metrics),
            log: log
        )
        tokens = TokenWatch(
            connections: connections,
            sender: sender,
            clock: clock,
            pauses: pauses,
            grace: settings.connection.tokenGrace
        )
    }

    /// Serves connections until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tokens.run() }
            await queue.run(serve: { await self.serve($0) }, complete: { await self.complete($0) })
        }
    }

    /// Accepts no more frames, and waits until those in progress are answered, for at most `limit` of real time.
    package func finishRequests(within limit: Duration) async { await queue.finish(within: limit) }

    // MARK: - From the outlet

    /// A connection has opened; `number` identifies it until it has closed, and is never used again.
    package func opened(_ number: UInt64, _ opening: Opening) {
        let connection = Connection(
            number: number,
            opening,
            budget: RequestBudget(settings.limits, at: clock.now),
            at: clock.now,
            random: random
        )
        let metadata: Logger.Metadata = ["connection": "\(connection.id.name)", "address": "\(opening.address)"]
        log.debug("Connection opened", metadata: metadata)
        connections.insert(connection)
    }

    /// A whole frame has arrived.
    ///
    /// - Returns: `true` if it has been processed; otherwise ``Outlet/processed(_:bytes:)`` is called later.
    package func received(_ number: UInt64, _ bytes: [UInt8]) -> Bool {
        guard let connection = connections[number], queue.isOpen else { return false }
        let frame = ReceivedFrame(bytes: bytes, receivedAt: clock.now)
        guard bytes.count <= Gateway.shortFrame, let context = connection.beginServing(at: frame.receivedAt) else {
            if connection.enqueue(frame) { queue.start(.frames(of: connection)) }
            return false
        }
        guard let work = dispatcher.begin(frame, of: connection, in: context) else {
            connection.endServing()
            return true
        }
        queue.start(work)
        return false
    }

    /// A connection has ended, with the code of its close frame.
    package func closed(_ number: UInt64, code: UInt16) {
        guard let connection = connections.remove(number) else { return }
        log.debug("Connection closed", metadata: ["connection": "\(connection.id.name)", "code": "\(code)"])
        if connection.markEnded() { queue.start(.frames(of: connection)) }
    }

    // MARK: - Serving

    private func complete(_ report: FrameDispatcher.BegunReport) async {
        await dispatcher.complete(report)
        sender.processed(report.connection, bytes: report.received.bytes.count)
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
            sender.processed(connection, bytes: frame.bytes.count)
        }
        await goOn(with: connection)
    }

    /// Puts a connection at the end of the queue; serves it at once if the queue has ended.
    private func goOn(with connection: Connection) async {
        if !queue.goOn(with: connection) { await serve(connection) }
    }
}
