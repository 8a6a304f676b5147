internal import PromisedConcurrency

/// Shared by the service threads of one server: its settings, its handler and the budgets over all
/// connections.
final class ServerEndpoint: Sendable {
    /// The decision if a connection may open.
    enum Admission: Equatable {
        case open
        /// Its source has too many unauthenticated connections.
        case sourceFull
        /// The limit of connections is reached.
        case full
    }

    /// The most connections with the library's poll loop.
    private static let mostOnPoll = 2000
    /// Sockets beyond those of WebSocket connections, so that plain requests are answered when all places are taken.
    private static let spareSockets = 64

    let configuration: WebSocketServerConfiguration
    let handler: any ConnectionHandler
    /// Places for WebSocket connections.
    private let places: Budget
    private let sockets: Budget
    /// The connections that have not signed in yet.
    private let unauthenticated: Guarded<UnauthenticatedConnections>
    private let threads: [ServiceThread]
    private let living: Guarded<Int>
    private let stopped: OneShotEvent

    /// The common part of these threads; signals `stopped` when the last of them has ended.
    init(
        configuration: WebSocketServerConfiguration,
        handler: any ConnectionHandler,
        maximumConnections: Int,
        threads: [ServiceThread],
        stopped: OneShotEvent
    ) {
        self.configuration = configuration
        self.handler = handler
        places = Budget(limit: maximumConnections)
        sockets = Budget(limit: maximumConnections + Self.spareSockets)
        unauthenticated = Guarded(UnauthenticatedConnections(limit: configuration.unadmittedPerSource))
        self.threads = threads
        living = Guarded(threads.count)
        self.stopped = stopped
    }

    // MARK: - Budgets

    /// The number of WebSocket connections.
    var connectionCount: Int { places.count }

    /// Takes a place for a socket, cutting another connection if necessary; `false` if there is none.
    func takeSocket() -> Bool { take(sockets, for: nil) }

    /// Releases the place of a socket that did not become a connection.
    func giveSocket() { sockets.give() }

    /// Registers a socket that became a connection.
    ///
    /// - Parameter peer: its IP address; nil if unknown.
    /// - Returns: `false` if its source has too many: then it gives its place back.
    func arrive(_ id: ConnectionID, from peer: String?) -> Bool {
        guard let source = peer.flatMap(handler.source(ofPeer:)) else { return true }
        return unauthenticated.withLock { $0.arrive(id, from: source) }
    }

    /// Takes a place for a connection with a valid handshake, cutting another connection if necessary.
    func admit(_ id: ConnectionID, _ handshake: HandshakeInfo) -> Admission {
        let source = handler.source(of: handshake)
        guard unauthenticated.withLock({ $0.open(id, from: source) }) else { return .sourceFull }
        return take(places, for: id) ? .open : .full
    }

    func signedIn(_ id: ConnectionID) { unauthenticated.withLock { $0.leave(id) } }

    /// Removes a connection that has ended or never opened.
    ///
    /// - Parameter hadPlace: `true` if ``admit(_:_:)`` let it open.
    func left(_ id: ConnectionID, hadPlace: Bool) {
        sockets.give()
        unauthenticated.withLock { $0.leave(id) }
        if hadPlace { places.give() }
    }

    /// If there is no room, cuts the oldest unauthenticated connection of the source that has the most. Its place
    /// becomes free shortly afterwards; until then the spare descriptors are used. If that connection is the newcomer
    /// itself, refuses it.
    private func take(_ budget: Budget, for newcomer: ConnectionID?) -> Bool {
        if budget.take() { return true }
        guard let stranger = unauthenticated.withLock({ $0.giveUpOne(onlyOpen: newcomer != nil) }), stranger != newcomer
        else { return false }
        threads[stranger.thread].post(.cut(stranger))
        budget.takeAnyway()
        return true
    }

    // MARK: - Threads

    /// Lowers the limit of connections for a thread that uses the poll loop.
    func restrictForPoll() {
        places.restrict(to: Self.mostOnPoll)
        sockets.restrict(to: Self.mostOnPoll + Self.spareSockets)
    }

    /// Records the end of a thread, for whatever reason.
    func threadEnded() {
        let isLast = living.withLock { living in
            living -= 1
            return living == 0
        }
        if isLast { stopped.signal() }
    }
}
