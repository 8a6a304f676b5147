import CWebSockets
import CoreMetrics
import Glibc
import Logging
internal import PromisedConcurrency

extension ConnectionLoop {
    /// The listening socket has connections: takes some, and gives each a slot and its handshake deadline.
    func acceptConnections(_ event: LibraryEvent) -> Int32 {
        guard event.wsi == listener, case .server(let server) = end, let vhost = context?.vhost else { return 0 }
        let descriptor = lws_get_socket_fd(event.wsi)
        // A bounded batch, so that a storm of connections leaves time for those that are there.
        for _ in 0..<64 {
            var peer = sockaddr_storage()
            let socket = IPAddress.query(&peer) { accept(descriptor, $0, $1) }
            guard socket >= 0 else {
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pauseAccepting(event.wsi) }
                return 0
            }
            adopt(socket, of: IPAddress.text(of: peer)?.host, vhost, server)
        }
        return 0
    }

    private func adopt(_ socket: Int32, of peer: String?, _ vhost: OpaquePointer, _ server: ServerEnd) {
        guard stop == nil, server.takeSocket() else {
            metrics.acceptRefused.increment()
            close(socket)
            return
        }
        // The library makes it non-blocking.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        guard let id = table.insert(makeChannel) else {
            server.sockets.give()
            close(socket)
            return
        }
        if let source = peer.flatMap(server.handler.source(ofPeer:)),
            !server.strangers.withLock({ $0.arrive(id, from: source) })
        {
            metrics.acceptRefused.increment()
            table.remove(id)
            server.sockets.give()
            close(socket)
            return
        }
        if server.configuration.certificate == nil {
            table[id]?.mayBeForwarded = RequestHead.mayBeForwarded(on: socket)
        }
        let wsi = cws_adopt_socket(vhost, socket, LibraryEvent.tag(of: id.slot))
        guard let channel = table[id] else { return }
        guard let wsi else {
            gone(channel)
            return
        }
        channel.wsi = wsi
        setTimer(of: channel)
    }

    /// Out of descriptors or memory: leaves the rest in the kernel's queue until the next tick.
    private func pauseAccepting(_ wsi: OpaquePointer) {
        isAcceptPaused = true
        lws_rx_flow_control(wsi, 0)
        logger.warning("No descriptor left for a new connection; accepting pauses.")
    }

    /// Accepts again after a pause.
    func resumeAccepting() {
        guard isAcceptPaused, let listener else { return }
        isAcceptPaused = false
        lws_rx_flow_control(listener, 1)
    }

    /// A connection's last callback, or what is left of one that never lived: frees its slot and tells its owner.
    @discardableResult
    func gone(_ channel: Channel) -> Int32 {
        guard table.remove(channel.id) != nil else { return 0 }
        let cause = channel.cause
        if case .server(let server) = end {
            server.sockets.give()
            server.strangers.withLock { $0.leave(channel.id) }
            if channel.holdsPlace { server.places.give() }
            if channel.isAnnounced { server.handler.closed(channel.id, cause) }
        }
        channel.client?.gone(channel.id, cause, isAnnounced: channel.isAnnounced)
        if channel.isAnnounced { metrics.closed(by: cause.end) }
        traffic.discarded += channel.outbox.frameCount
        channel.outbox.removeAll()
        if stop != nil, table.count == 0 { stopServing() }
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
