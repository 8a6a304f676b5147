import Glibc

/// TCP on 127.0.0.1, for a thread that may block. The opener of a descriptor closes it.
enum LoopbackSocket {
    struct Pair: Sendable {
        var near: Int32
        var far: Int32
    }

    /// A socket that listens on a port which the system chose.
    static func listening() -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// A connection to a port; nil without a listener.
    static func connected(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let isConnected = withUnsafePointer(to: address(port: port)) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Two sockets that are connected to each other.
    static func pair() -> Pair? {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0 else { return nil }
        return Pair(near: descriptors[0], far: descriptors[1])
    }

    /// Waits until some of these can be read from, or have ended.
    static func readable(_ sockets: [Int32]) -> Set<Int32> {
        var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), -1) > 0 else { return [] }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }

    /// The next bytes received; empty at the end.
    static func receive(from socket: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Sends all bytes; `false` if the other end has closed.
    @discardableResult
    static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Closing it discards unsent data with a reset.
    static func resetWhenClosed(_ socket: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Accepts the next connection of a listening socket and resets it, then ends the listener.
    static func reset(_ listener: Int32) {
        let connection = accept(listener, nil, nil)
        resetWhenClosed(connection)
        close(connection)
        close(listener)
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
