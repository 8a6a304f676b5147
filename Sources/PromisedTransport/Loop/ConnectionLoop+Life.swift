import CWebSockets
import CoreMetrics
import Logging

extension ConnectionLoop {
    /// Starts the thread and returns once it serves.
    /// - Parameter listening: a socket to listen on, -1 for none; the thread closes it.
    nonisolated func start(listening socket: Int32 = -1) async throws(TransportError) {
        let outcome: Result<Void, TransportError> = await withCheckedContinuation { continuation in
            let isStarted = thread.start(named: "promised-net") { [self] in
                run(listening: socket) { continuation.resume(returning: $0) }
            }
            if !isStarted { continuation.resume(returning: .failure(.setUpFailed("no thread"))) }
        }
        try outcome.get()
    }

    /// The thread's main function.
    private nonisolated func run(listening socket: Int32, report: (Result<Void, TransportError>) -> Void) {
        let (role, outcome) = assumeIsolated { ($0.role, $0.setUp(listening: socket)) }
        report(outcome)
        if case .success = outcome { assumeIsolated { $0.serve() } }
        assumeIsolated { $0.tearDown() }
        thread.end { work in assumeIsolated { $0.decline(work) } }
        ended.signal()
        if case .server(let server) = role { server.threadEnded() }
    }

    private func setUp(listening socket: Int32) -> Result<Void, TransportError> {
        let callbacks = LibraryContext.Callbacks(
            event: libraryCalled,
            ticked: loopTicked,
            user: Unmanaged.passUnretained(self).toOpaque()
        )
        guard library.open(callbacks) else {
            if socket >= 0 { close(socket) }
            return .failure(.setUpFailed("no context"))
        }
        if socket >= 0 {
            guard let listener = library.watch(socket) else {
                return .failure(.setUpFailed("the listening socket cannot be polled"))
            }
            acceptor.listen(on: listener)
        }
        if let raw = library.raw { thread.wakes(raw) }
        return .success(())
    }

    private func serve() {
        library.serve { stop.hasEnded }
        if !stop.hasEnded { logger.error("The WebSocket library's loop ended unexpectedly.") }
    }

    /// Makes ``serve()`` return. Call this only from within the loop.
    func stopServing() {
        if stop.end() { library.stop() }
    }

    private func tearDown() {
        _ = stop.end()
        thread.wakesNothing()
        library.close()
        reportRest()
    }

    /// Rejects a request that arrived too late.
    private func decline(_ work: ServiceThread.Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: unownedExecutor)
        case .command(.connect(let attempt)): attempt.finish(.failure(.notRunning))
        case .command: break
        }
    }
}
