package import Logging
internal import PromisedConcurrency

/// The client's end: any number of connections on one service thread, which starts with the first of them.
///
/// The library answers the server's pings; a silent server is pinged and, without an answer, closed
/// (``ConnectionTiming/silence``). The thread ends with ``shutdown(closing:timeout:)``, or when the last reference to
/// the client is dropped; its connections are then cut.
package final class WebSocketClient: Sendable {
    private enum State {
        case idle
        case starting(OneShotEvent)
        case running(ConnectionLoop)
        case stopped
    }

    private let configuration: ClientConfiguration
    private let logger: Logger
    private let state = Guarded(State.idle)

    package init(configuration: ClientConfiguration = ClientConfiguration(), logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    deinit {
        guard case .running(let loop) = state.withLock({ $0 }) else { return }
        loop.thread.post(.shutdown(.goingAway, spread: .zero, timeout: .zero))
    }

    /// Connects; read the connection's events from its `incoming`.
    ///
    /// Cancelling the task abandons the attempt and cuts its connection.
    /// - Throws: `hostNotFound`, `connectFailed`, `timedOut`, `handshakeRefused`, `cancelled`, `setUpFailed` or
    ///   `notRunning` after a shutdown.
    package func connect(_ request: ClientRequest) async throws(TransportError) -> ClientConnection {
        let handler = StreamingHandler(limits: configuration.limits)
        let opened = try await open(request, handler: handler, countsInbound: true)
        let id = opened.id
        let incoming = IncomingEvents(stream: handler.stream) { [self] bytes in
            running?.thread.post(.processed(id, bytes: bytes))
        }
        return ClientConnection(id: id, subprotocol: opened.subprotocol, incoming: incoming, client: self)
    }

    /// Connects; the connection's events go to `handler`. Otherwise like ``connect(_:)``.
    /// - Returns: the connection's id. `handler` may receive calls with it before or after the return.
    @discardableResult
    package func connect(
        _ request: ClientRequest,
        handler: any ClientHandler
    ) async throws(TransportError) -> ConnectionID {
        try await open(request, handler: handler, countsInbound: false).id
    }

    /// Sends a message over a connection, from any thread, without waiting; discards it if the connection has ended.
    package func send(_ bytes: [UInt8], isText: Bool, on id: ConnectionID) {
        // Not shared, because the client's frames are masked in place.
        running?.thread.post(.send([OutgoingPayload(Payload(bytes))], to: [id], kind: isText ? .text : .binary))
    }

    /// Closes a connection after its queued messages have been sent.
    package func close(_ id: ConnectionID, _ reason: CloseReason = .normal) { running?.thread.post(.close(id, reason)) }

    /// Closes all connections, cuts those whose server has not answered in time, and ends the thread. After it has
    /// returned, there are no more events, and connecting fails.
    package func shutdown(closing reason: CloseReason = .goingAway, timeout: Duration = .seconds(3)) async {
        let loop = await takeLoop()
        loop?.thread.post(.shutdown(reason, spread: .zero, timeout: timeout))
        await loop?.ended.wait()
    }

    // MARK: - Internals

    private var running: ConnectionLoop? {
        state.withLock { state in
            if case .running(let loop) = state { loop } else { nil }
        }
    }

    private func open(
        _ request: ClientRequest,
        handler: any ClientHandler,
        countsInbound: Bool
    ) async throws(TransportError) -> ClientAttempt.Opened {
        var failure = TransportError.cancelled
        for address in try await Resolver.addresses(of: request.host) {
            do {
                return try await open(request, at: address, handler: handler, countsInbound: countsInbound)
            } catch {
                // The next address may answer; the peer's reply and the caller's request to stop are final.
                failure = error
                guard case .connectFailed(let text) = error else { break }
                if let why = await ConnectProbe.reason(behind: text, at: address, port: request.port) {
                    failure = .connectFailed(why)
                }
            }
        }
        throw failure
    }

    private func open(
        _ request: ClientRequest,
        at address: String,
        handler: any ClientHandler,
        countsInbound: Bool
    ) async throws(TransportError) -> ClientAttempt.Opened {
        let loop = try await runningLoop()
        let attempt = ClientAttempt(request, address: address, handler: handler, countsInbound: countsInbound)
        let outcome = await withTaskCancellationHandler {
            if !loop.thread.post(.connect(attempt)) { attempt.finish(.failure(.notRunning)) }
            return await attempt.outcome()
        } onCancel: {
            attempt.finish(.failure(.cancelled))
            loop.thread.post(.abandon(attempt))
        }
        return try outcome.get()
    }

    /// The loop; the first caller starts it while others wait.
    private func runningLoop() async throws(TransportError) -> ConnectionLoop {
        while true {
            let (before, started) = state.withLock { state -> (State, OneShotEvent) in
                let before = state
                let started = OneShotEvent()
                if case .idle = state { state = .starting(started) }
                return (before, started)
            }
            switch before {
            case .idle: return try await startLoop(started)
            case .starting(let started): await started.wait()
            case .running(let loop): return loop
            case .stopped: throw .notRunning
            }
        }
    }

    private func startLoop(_ started: OneShotEvent) async throws(TransportError) -> ConnectionLoop {
        let loop = ConnectionLoop(
            index: 0,
            role: .client(configuration),
            limits: configuration.limits,
            timing: configuration.timing,
            logger: logger
        )
        defer { started.signal() }
        do {
            try await loop.start()
        } catch {
            state.withLock { $0 = .idle }
            throw error
        }
        state.withLock { $0 = .running(loop) }
        return loop
    }

    /// Removes the loop from the client; waits for one that is being started.
    private func takeLoop() async -> ConnectionLoop? {
        while true {
            let before = state.withLock { state -> State in
                let before = state
                if case .starting = state { return before }
                // Later callers wait for the loop, too, so it is kept.
                if case .idle = state { state = .stopped }
                return before
            }
            switch before {
            case .starting(let started): await started.wait()
            case .running(let loop): return loop
            case .idle, .stopped: return nil
            }
        }
    }
}
