/// What the service threads of one server have in common.
final class ServerEnd: Sendable {
    /// What the library's poll loop can serve.
    private static let mostOnPoll = 2000
    /// Sockets beyond those of WebSocket connections, so that plain requests are answered when all places are taken.
    private static let spareSockets = 64

    let configuration: ServerConfiguration
    let handler: any ConnectionHandler
    /// Places for WebSocket connections.
    let places: Budget
    /// Places for sockets.
    let sockets: Budget
    private let living: Guarded<Int>
    private let stopped: Gate

    /// The common part of `threads` threads; `stopped` is opened when the last of them has ended.
    init(
        configuration: ServerConfiguration,
        handler: any ConnectionHandler,
        maximumConnections: Int,
        threads: Int,
        stopped: Gate
    ) {
        self.configuration = configuration
        self.handler = handler
        places = Budget(limit: maximumConnections)
        sockets = Budget(limit: maximumConnections + Self.spareSockets)
        living = Guarded(threads)
        self.stopped = stopped
    }

    /// A thread has to do with the poll loop: fewer connections are taken.
    func restrictForPoll() {
        places.restrict(to: Self.mostOnPoll)
        sockets.restrict(to: Self.mostOnPoll + Self.spareSockets)
    }

    /// A thread has ended, asked to or not.
    func threadEnded() {
        let isLast = living.withLock { living in
            living -= 1
            return living == 0
        }
        if isLast { stopped.open() }
    }
}
