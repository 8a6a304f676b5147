import CoreMetrics
import Glibc
import Logging

extension ConnectionLoop {
    /// Accepts some of the connections that wait at the listening socket, and gives each a slot and a handshake
    /// deadline.
    func acceptConnections(_ event: LibraryEvent) -> Int32 {
        guard case .server(let server) = role, acceptor.isListening(on: event.socket) else { return 0 }
        for _ in 0..<Acceptor<LibrarySocket>.batch {
            guard let arrival = acceptor.next() else { break }
            adopt(arrival, server)
        }
        if acceptor.isPaused { logger.warning("No file descriptor is left for a new connection; accepting pauses.") }
        return 0
    }

    private func adopt(_ arrival: Acceptor<LibrarySocket>.Arrival, _ server: ServerEndpoint) {
        guard stop.isRunning, server.takeSocket() else {
            metrics.acceptRefused.increment()
            close(arrival.socket)
            return
        }
        guard let channel = channels.insert(at: timers.now) else {
            server.giveSocket()
            close(arrival.socket)
            return
        }
        guard server.arrive(channel.id, from: arrival.peer) else {
            metrics.acceptRefused.increment()
            _ = channels.remove(channel)
            server.giveSocket()
            close(arrival.socket)
            return
        }
        if server.configuration.certificate == nil {
            channel.exchange.mayBeForwarded = RequestHead.mayBeForwarded(on: arrival.socket)
        }
        let socket = library.adopt(arrival.socket, slot: channel.id.slot)
        guard channels[channel.id] != nil else { return }
        guard let socket else {
            gone(channel)
            return
        }
        channel.socket = socket
        timers.set(for: channel)
    }

    /// Handles a connection's last callback, or the clean-up of one that never opened: frees its slot and notifies its
    /// owner.
    @discardableResult
    func gone(_ channel: Channel) -> Int32 {
        guard channels.remove(channel) else { return 0 }
        channel.exchange.abandon()
        let cause = channel.ending.cause
        if case .server(let server) = role {
            server.left(channel.id, hadPlace: channel.holdsPlace)
            if channel.isAnnounced { server.handler.closed(channel.id, cause) }
        }
        channel.client?.gone(channel.id, cause, isAnnounced: channel.isAnnounced)
        if channel.isAnnounced { metrics.closed(by: cause.end) }
        writer.discardOutbox(of: channel)
        if !stop.isRunning, channels.count == 0 { stopServing() }
        return 0
    }
}

extension CloseCause {
    fileprivate var end: TransportMetrics.End {
        switch self {
        case .byPeer: .peer
        case .byThisEnd: .here
        case .lost: .lost
        }
    }
}
