internal import PromisedConcurrency

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
    /// The connections on which nobody has signed in yet.
    let strangers: Guarded<Strangers>
    private let threads: [ServiceThread]
    private let living: Guarded<Int>
    private let stopped: Gate

    /// The common part of these threads; `stopped` is opened when the last of them has ended.
    init(
        configuration: ServerConfiguration,
        handler: any ConnectionHandler,
        maximumConnections: Int,
        threads: [ServiceThread],
        stopped: Gate
    ) {
        self.configuration = configuration
        self.handler = handler
        places = Budget(limit: maximumConnections)
        sockets = Budget(limit: maximumConnections + Self.spareSockets)
        strangers = Guarded(Strangers(limit: configuration.unadmittedPerSource))
        self.threads = threads
        living = Guarded(threads.count)
        self.stopped = stopped
    }

    /// Takes a place for a socket, somebody else's if need be.
    func takeSocket() -> Bool { take(sockets, for: nil) }

    /// Takes a place for a WebSocket connection, somebody else's if need be.
    func takePlace(for newcomer: ConnectionID) -> Bool { take(places, for: newcomer) }

    /// When there is no room the oldest connection of the source that has most on which nobody has signed in is cut. Its
    /// place is free a moment later, for which the spare descriptors are enough. That may be the newcomer itself, which
    /// is refused then.
    private func take(_ budget: Budget, for newcomer: ConnectionID?) -> Bool {
        if budget.take() { return true }
        guard let stranger = strangers.withLock({ $0.giveUpOne(onlyOpen: newcomer != nil) }), stranger != newcomer
        else { return false }
        threads[stranger.thread].post(.cut(stranger))
        budget.takeAnyway()
        return true
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
