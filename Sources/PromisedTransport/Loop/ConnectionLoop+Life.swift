import CWebSockets
import CoreMetrics
import Logging

extension ConnectionLoop {
    /// A loop that is being stopped.
    struct Stop {
        let reason: CloseReason
        /// Connections that are still to be told, in this order.
        var waiting: ArraySlice<ConnectionID>
        let began: ContinuousClock.Instant
        let spread: Duration
        let total: Int
        /// When whoever is left is cut.
        let deadline: ContinuousClock.Instant
    }

    /// Starts the thread and returns once it serves.
    /// - Parameter listening: a socket for the thread to listen on, -1 for none; the thread closes it.
    nonisolated func start(listening socket: Int32 = -1) async throws(TransportError) {
        let outcome: Result<Void, TransportError> = await withCheckedContinuation { continuation in
            let isStarted = thread.start(named: "promised-net") { [self] in
                run(listening: socket) { continuation.resume(returning: $0) }
            }
            if !isStarted { continuation.resume(returning: .failure(.setUpFailed("no thread"))) }
        }
        try outcome.get()
    }

    /// What the thread does, from its first to its last act.
    private nonisolated func run(listening socket: Int32, report: (Result<Void, TransportError>) -> Void) {
        let outcome = assumeIsolated { $0.setUp(listening: socket) }
        report(outcome)
        if case .success = outcome { assumeIsolated { $0.serve() } }
        assumeIsolated { $0.tearDown() }
        thread.end { work in assumeIsolated { $0.decline(work) } }
        ended.open()
        if case .server(let server) = end { server.threadEnded() }
    }

    private func setUp(listening socket: Int32) -> Result<Void, TransportError> {
        guard makeContext() else {
            if socket >= 0 { close(socket) }
            return .failure(.setUpFailed("no context"))
        }
        if socket >= 0 {
            guard let vhost = context?.vhost, let listener = cws_watch_file(vhost, socket) else {
                return .failure(.setUpFailed("the listening socket can't be watched"))
            }
            self.listener = listener
        }
        if let raw = context?.raw { thread.wakes(raw) }
        return .success(())
    }

    /// Makes the context on a libev loop, or else on the library's poll loop.
    private func makeContext() -> Bool {
        let settings = librarySettings
        if !end.usesPoll, let library = EventLibrary.installed, let loop = library.makeLoop() {
            context = LibraryContext.make(settings, eventLoop: loop)
            eventLoop = loop
            if context != nil { return true }
            library.destroy(loop)
            eventLoop = nil
        }
        if !end.usesPoll {
            logger.warning("The libev loop can't be used; poll serves, for few connections only.")
        }
        if case .server(let server) = end { server.restrictForPoll() }
        context = LibraryContext.make(settings, eventLoop: nil)
        return context != nil
    }

    private var librarySettings: LibraryContext.Settings {
        LibraryContext.Settings(
            protocols: end.protocolNames,
            receiveBytes: end.isServer ? 256 : 4096,
            isServer: end.isServer,
            usesTLS: end.usesTLS,
            tick: timing.resolution,
            timeout: timing.handshake + .seconds(5),
            callback: libraryCalled,
            ticked: loopTicked,
            user: Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func serve() {
        if let eventLoop, let library = EventLibrary.installed {
            library.run(eventLoop)
        } else if let raw = context?.raw {
            while !isStopping, lws_service(raw, 0) >= 0 {}
        }
        if !isStopping { logger.error("The WebSocket library's loop ended by itself.") }
    }

    /// Has ``serve()`` return. Only from within the loop.
    func stopServing() {
        guard !isStopping else { return }
        isStopping = true
        if let eventLoop { EventLibrary.installed?.stop(eventLoop) }
    }

    private func tearDown() {
        isStopping = true
        thread.wakesNothing()
        if let context = context.take() { context.destroy() }
        forgetCertificate()
        if let eventLoop { EventLibrary.installed?.destroy(eventLoop) }
        eventLoop = nil
        traffic.report(to: metrics)
        metrics.connections.record(0)
    }

    /// Turns down what was asked for too late.
    private func decline(_ work: ServiceThread.Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: unownedExecutor)
        case .command(.connect(let attempt)): attempt.finish(.failure(.notRunning))
        case .command: break
        }
    }
}

extension LoopEnd {
    var isServer: Bool {
        switch self {
        case .server: true
        case .client: false
        }
    }

    fileprivate var usesTLS: Bool {
        switch self {
        case .server(let server): server.configuration.certificate != nil
        case .client: false
        }
    }

    fileprivate var usesPoll: Bool {
        switch self {
        case .server(let server): server.configuration.usesPoll
        case .client(let configuration): configuration.usesPoll
        }
    }

    /// The library wants at least one; a server without sub-protocols refuses those who ask before it looks.
    fileprivate var protocolNames: [String] {
        switch self {
        case .server(let server):
            server.configuration.subprotocols.isEmpty ? ["-"] : server.configuration.subprotocols.map(\.name)
        case .client: ["client"]
        }
    }
}
