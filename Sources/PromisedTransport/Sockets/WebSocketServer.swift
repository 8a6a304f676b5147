package import CoreMetrics
package import Logging
internal import PromisedConcurrency

/// A WebSocket server, which also answers plain HTTP requests on the same port.
///
/// It transfers bytes without interpreting them: connections, messages and requests go to its handler, and any thread
/// may send. It runs on its own service threads. Start it once and shut it down once; dropping it shuts it down at
/// once.
package final class WebSocketServer: Sendable {
    private enum State {
        case idle, starting
        /// The server was shut down before it had started.
        case abandoned
        case running([ConnectionLoop], ServerEndpoint)
        case stopped
    }

    private let configuration: WebSocketServerConfiguration
    private let logger: Logger
    private let metrics: any MetricsFactory
    private let threads: ServiceThreads
    private let state = Guarded(State.idle)
    private let stopped = OneShotEvent()

    /// A server that does not listen yet.
    /// - Parameters:
    ///   - threads: the service threads, used by this server alone.
    ///   - metrics: creates its counters, all named `promised_transport_…`; by default the process's.
    package init(
        configuration: WebSocketServerConfiguration,
        logger: Logger,
        threads: ServiceThreads = ServiceThreads(count: 1),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.configuration = configuration
        self.logger = logger
        self.threads = threads
        self.metrics = metrics
    }

    deinit {
        guard case .running(let loops, _) = state.withLock({ $0 }) else { return threads.cancel() }
        for loop in loops { loop.thread.post(.shutdown(.goingAway, spread: .zero, timeout: .zero)) }
    }

    // MARK: - Life

    /// Binds the address of ``start(serving:)`` and releases it at once: for a program that must know if it can listen
    /// before it creates anything.
    /// - Throws: ``TransportError/bindFailed(address:errno:text:)``, `hostNotFound`.
    package func tryAddress() async throws(TransportError) {
        let host = try await Resolver.addresses(of: configuration.host)[0]
        _ = try ListeningSocket(host: host, port: configuration.port, isShared: threads.count > 1)
    }

    /// Listens and serves.
    /// - Parameter handler: receives connections, messages and requests from now on.
    /// - Returns: the address, with the chosen port if it was 0.
    /// - Throws: ``TransportError/bindFailed(address:errno:text:)``, `hostNotFound`, `setUpFailed`, or `alreadyStarted`
    ///   if it was already started or shut down.
    package func start(serving handler: any ConnectionHandler) async throws(TransportError) -> ListeningAddress {
        let mayStart = state.withLock { state in
            guard case .idle = state else { return false }
            state = .starting
            return true
        }
        guard mayStart else { throw .alreadyStarted }
        do throws(TransportError) {
            return try await startWanted(handler)
        } catch {
            state.withLock { $0 = .stopped }
            threads.cancel()
            stopped.signal()
            throw error
        }
    }

    /// Starts, unless it is shut down meanwhile.
    private func startWanted(_ handler: any ConnectionHandler) async throws(TransportError) -> ListeningAddress {
        let (loops, endpoint, address) = try await startLoops(handler)
        let isWanted = state.withLock { state in
            if case .abandoned = state { return false }
            state = .running(loops, endpoint)
            return true
        }
        guard isWanted else {
            await WebSocketServer.endAtOnce(loops)
            throw .alreadyStarted
        }
        return address
    }

    /// Returns when the server has been shut down, its threads have failed, or the task is cancelled, which does not
    /// shut the server down.
    package func waitUntilStopped() async { await stopped.waitUnlessCancelled() }

    /// Stops accepting, sends each connection its outbox and a close frame with `reason`, waits for the peers' close
    /// frames, cuts the connections that have not answered, and ends the threads. After it has returned, the handler is
    /// no longer called. A second call waits for the first. Cancelling the task does not interrupt it.
    /// - Parameters:
    ///   - reason: the reason sent to the peers.
    ///   - spread: the time over which the close frames are spread, so that not all clients return at once.
    ///   - timeout: the timeout for the peers' close frames, after the last of ours.
    package func shutdown(
        closing reason: CloseReason = .draining,
        spread: Duration = .zero,
        timeout: Duration = .seconds(3)
    ) async {
        let loops = state.withLock { state -> [ConnectionLoop]? in
            switch state {
            case .idle:
                state = .stopped
                threads.cancel()
                return []
            case .running(let loops, _):
                state = .stopped
                return loops
            case .starting:
                state = .abandoned
                return nil
            case .abandoned, .stopped: return nil
            }
        }
        guard let loops else { return await stopped.wait() }
        for loop in loops { loop.thread.post(.shutdown(reason, spread: spread, timeout: timeout)) }
        for loop in loops { await loop.ended.wait() }
        stopped.signal()
    }

    // MARK: - Connections (from any thread, without waiting)

    /// Sends a payload to these connections, in a frame of each sub-protocol's kind; skips ended connections.
    ///
    /// `delivery` determines how it is queued. A connection whose outbox has no room is closed with 4002.
    package func send(_ payload: Payload, to ids: [ConnectionID], as delivery: Delivery = .event) {
        send([OutgoingPayload(payload, as: delivery)], to: ids)
    }

    /// Sends several payloads to each of these connections, in order and if possible in one packet.
    package func send(_ payloads: [OutgoingPayload], to ids: [ConnectionID]) {
        guard let loops = running, !ids.isEmpty, !payloads.isEmpty else { return }
        guard loops.count > 1 else { return loops[0].send(payloads, to: ids) }
        for (thread, ids) in Dictionary(grouping: ids, by: \.thread) where loops.indices.contains(thread) {
            loops[thread].send(payloads.map { $0.copy() }, to: ids)
        }
    }

    /// Closes a connection after its queued frames have been sent. Nothing more is received from it.
    package func close(_ id: ConnectionID, _ reason: CloseReason) { post(.close(id, reason), to: id) }

    /// Lifts the sign-in deadline of a peer that has signed in, and allows messages of the full size.
    package func admit(_ id: ConnectionID) { post(.admit(id), to: id) }

    /// Reports that a received message of `bytes` bytes was processed; call this once per message.
    ///
    /// Reading from a connection stops when ``ConnectionLimits/inboundBytes`` or `inboundFrames` are received but
    /// unprocessed, and resumes at half of that. So each peer makes the process hold at most that and one message.
    package func processed(_ id: ConnectionID, bytes: Int) { post(.processed(id, bytes: bytes), to: id) }

    /// Uses another certificate for new connections; existing ones are not affected. No effect on a server that was
    /// started without TLS or is not running.
    package func present(_ certificate: TLSCertificate) {
        for loop in running ?? [] { loop.thread.post(.present(certificate)) }
    }

    /// The number of WebSocket connections; 0 if the server does not run.
    package var connectionCount: Int {
        state.withLock { state in
            if case .running(_, let endpoint) = state { endpoint.connectionCount } else { 0 }
        }
    }

    // MARK: - Internals

    private var running: [ConnectionLoop]? {
        state.withLock { state in
            if case .running(let loops, _) = state { loops } else { nil }
        }
    }

    private func post(_ command: LoopCommand, to id: ConnectionID) {
        guard let loops = running, loops.indices.contains(id.thread) else { return }
        loops[id.thread].thread.post(command)
    }

    private func startLoops(
        _ handler: any ConnectionHandler
    ) async throws(TransportError) -> ([ConnectionLoop], ServerEndpoint, ListeningAddress) {
        let host = try await Resolver.addresses(of: configuration.host)[0]
        let endpoint = ServerEndpoint(
            configuration: configuration,
            handler: handler,
            maximumConnections: maximumConnections,
            threads: threads.all,
            stopped: stopped
        )
        var loops: [ConnectionLoop] = []
        var address = ListeningAddress(host: host, port: configuration.port)
        var limits = configuration.limits
        limits.allOutboxBytes /= threads.count
        do {
            for (index, thread) in threads.all.enumerated() {
                let socket = try ListeningSocket(host: host, port: address.port, isShared: threads.count > 1)
                address = socket.address
                let loop = ConnectionLoop(
                    index: index,
                    thread: thread,
                    role: .server(endpoint),
                    limits: limits,
                    timing: configuration.timing,
                    logger: logger,
                    metrics: metrics
                )
                try await loop.start(listening: socket.release())
                loops.append(loop)
            }
        } catch {
            await WebSocketServer.endAtOnce(loops)
            throw error
        }
        return (loops, endpoint, address)
    }

    private static func endAtOnce(_ loops: [ConnectionLoop]) async {
        for loop in loops { loop.thread.post(.shutdown(.goingAway, spread: .zero, timeout: .zero)) }
        for loop in loops { await loop.ended.wait() }
    }

    private var maximumConnections: Int {
        let files = OpenFileLimit.raise()
        let possible = max(64, files - 256)
        let most = min(possible, max(1, configuration.maximumConnections ?? possible))
        logger.info(
            "The limit of open files was raised to its maximum.",
            metadata: ["files": "\(files)", "connections": "\(most)"]
        )
        return most
    }
}
