internal import Glibc
internal import PromisedConcurrency
package import PromisedTransport

/// A TCP relay on loopback between two peers that can silently drop all bytes, as if packets were lost.
package final class Relay: Sendable {
    /// The address on which it listens.
    package let address: ListeningAddress
    private let listener: Socket
    private let wires: Wires

    /// Creates a relay to `target`, an IPv4 address.
    package init(to target: ListeningAddress) throws {
        guard let listener = Socket.listening(), let port = listener.port else { throw RawPeer.Failure() }
        let wires = Wires()
        address = ListeningAddress(host: "127.0.0.1", port: port)
        self.listener = listener
        self.wires = wires
        let isStarted = NativeThread.run(named: "relay") {
            while let near = listener.accepted(), let far = Socket.connected(to: target) { wires.connect(near, far) }
        }
        guard isStarted else { throw RawPeer.Failure() }
    }

    deinit {
        listener.shutDown()
        wires.cut()
    }

    /// Drops all later bytes, also the end of a connection.
    package func loseAll() { wires.loseAll() }
}

private final class Wires: Sendable {
    private struct State {
        var sockets: [Socket] = []
        var losesAll = false
    }

    private let state = Guarded(State())

    func loseAll() { state.withLock { $0.losesAll = true } }

    /// Ends all connections.
    func cut() {
        for socket in state.withLock({ $0.sockets }) { socket.shutDown() }
    }

    /// Forwards, on separate threads, the bytes of both peers until either ends.
    func connect(_ near: Socket, _ far: Socket) {
        state.withLock { $0.sockets += [near, far] }
        for (source, sink) in [(near, far), (far, near)] {
            let isStarted = NativeThread.run(named: "relay") { self.pass(from: source, to: sink) }
            precondition(isStarted, "The system grants no thread.")
        }
    }

    private func pass(from source: Socket, to sink: Socket) {
        while true {
            let bytes = source.read()
            if state.withLock({ $0.losesAll }) {
                // Keeps reading, because a blocked sender would notice.
                if bytes.isEmpty { return }
                continue
            }
            guard !bytes.isEmpty, sink.write(bytes) else { return sink.shutDown() }
        }
    }
}

/// A descriptor, closed with its last reference.
private final class Socket: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens on a free port.
    static func listening() -> Socket? {
        let made = Socket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let isListening = made.withAddress("127.0.0.1", 0) {
            bind(made.descriptor, $0, $1) == 0 && listen(made.descriptor, 8) == 0
        }
        return isListening ? made : nil
    }

    static func connected(to target: ListeningAddress) -> Socket? {
        let made = Socket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        return made.withAddress(target.host, target.port) { connect(made.descriptor, $0, $1) == 0 } ? made : nil
    }

    var port: UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        return isKnown ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// The next connection; nil after shutdown.
    func accepted() -> Socket? {
        let accepted = accept(descriptor, nil, nil)
        return accepted >= 0 ? Socket(accepted) : nil
    }

    /// The next bytes; empty at the end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Writes all bytes; `false` if the connection has ended.
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func withAddress(
        _ host: String,
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
