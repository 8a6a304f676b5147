// Both modules have the C library's network types; the compiler picks those that it loads first.
import CWebSockets
import Glibc

/// Accepts connections: the listening socket, and the confirmed handshake that has not opened yet.
struct Acceptor<Listener: ListenerSocket> {
    struct Arrival: Equatable {
        let socket: Int32
        /// The peer's IP address; nil if unknown.
        let peer: String?
    }

    /// How many sockets are accepted in a row; bounded so that a burst of connections leaves time for the established
    /// ones.
    static var batch: Int { 64 }

    /// Owned by the library; nil for a client, and once the loop stops.
    private var listener: Listener?
    /// `true` while accepting pauses.
    private(set) var isPaused = false
    /// The handshake that the library is processing. It opens a connection before it begins the next.
    private var confirmed: (id: ConnectionID, info: HandshakeInfo)?

    // MARK: - Sockets

    mutating func listen(on listener: Listener) { self.listener = listener }
    func isListening(on socket: Listener) -> Bool { listener == socket }

    /// Accepts the next connection; nil if none waits, or if the process has run out of descriptors or memory. The
    /// others then stay in the kernel's queue until ``resume()``.
    mutating func next() -> Arrival? {
        guard let listener, !isPaused else { return nil }
        var peer = sockaddr_storage()
        let socket = IPAddress.query(&peer) { accept(listener.descriptor, $0, $1) }
        if socket >= 0 {
            Self.prepare(socket)
            return Arrival(socket: socket, peer: IPAddress.text(of: peer)?.host)
        }
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
        return nil
    }

    /// Accepts again after a pause.
    mutating func resume() {
        guard isPaused else { return }
        isPaused = false
        listener?.setReading(true)
    }

    /// Closes the listening socket.
    mutating func close() {
        listener?.kill()
        listener = nil
    }

    /// Not set non-blocking here: the library does that.
    private static func prepare(_ socket: Int32) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private mutating func pause() {
        isPaused = true
        listener?.setReading(false)
    }

    // MARK: - Handshakes

    mutating func confirm(_ id: ConnectionID, _ info: HandshakeInfo) { confirmed = (id, info) }
    func hasConfirmed(_ id: ConnectionID) -> Bool { confirmed?.id == id }

    /// The handshake of the connection that opens; nil if another was confirmed last.
    mutating func opened(_ id: ConnectionID) -> HandshakeInfo? {
        guard let confirmed, confirmed.id == id else { return nil }
        self.confirmed = nil
        return confirmed.info
    }
}
