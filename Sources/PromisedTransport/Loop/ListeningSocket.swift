// Both modules have the C library's network types; the compiler picks those that it loads first.
import CWebSockets
import Glibc

struct ListeningSocket: ~Copyable {
    let address: ListeningAddress
    private let descriptor: OwnedDescriptor

    /// Binds and listens.
    /// - Parameters:
    ///   - host: an IP address; `::` also accepts IPv4 connections.
    ///   - port: 0 lets the system choose one.
    ///   - isShared: `true` if other sockets of this process may listen on the same port; the system distributes
    ///     connections among them.
    init(host: String, port: UInt16, isShared: Bool) throws(TransportError) {
        let wanted = ListeningAddress(host: host, port: port)
        guard let (storage, length) = Self.socketAddress(host: host, port: port) else {
            throw .bindFailed(address: wanted.description, errno: EINVAL, text: "not an IP address")
        }
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(storage.ss_family), flags, 0)
        guard descriptor >= 0 else { throw Self.failure(wanted) }
        Self.set(SO_REUSEADDR, of: descriptor)
        if isShared { Self.set(SO_REUSEPORT, of: descriptor) }
        let isBound = withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        // A socket is accepted when its request has arrived, or after a second without one.
        Self.set(TCP_DEFER_ACCEPT, of: descriptor, at: Int32(IPPROTO_TCP))
        guard isBound, listen(descriptor, 4096) == 0, let local = IPAddress.ofLocalEnd(socket: descriptor) else {
            let failure = Self.failure(wanted)
            close(descriptor)
            throw failure
        }
        self.descriptor = OwnedDescriptor(descriptor)
        address = ListeningAddress(host: local.host, port: local.port)
    }

    /// Passes the descriptor to the caller, which closes it.
    consuming func release() -> Int32 { descriptor.release() }

    private static func failure(_ address: ListeningAddress) -> TransportError {
        let code = errno
        return .bindFailed(address: address.description, errno: code, text: String(cString: strerror(code)))
    }

    private static func set(_ option: Int32, of descriptor: Int32, at level: Int32 = SOL_SOCKET) {
        var one: Int32 = 1
        setsockopt(descriptor, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func socketAddress(host: String, port: UInt16) -> (sockaddr_storage, socklen_t)? {
        var storage = sockaddr_storage()
        let length = withUnsafeMutableBytes(of: &storage) { raw -> socklen_t? in
            var four = sockaddr_in()
            if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
                four.sin_family = sa_family_t(AF_INET)
                four.sin_port = port.bigEndian
                raw.storeBytes(of: four, as: sockaddr_in.self)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            }
            var six = sockaddr_in6()
            guard inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else { return nil }
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            raw.storeBytes(of: six, as: sockaddr_in6.self)
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        return length.map { (storage, $0) }
    }
}

/// A file descriptor that is closed when its value is dropped.
struct OwnedDescriptor: ~Copyable {
    private let descriptor: Int32

    /// Takes ownership of a descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Passes the descriptor to the caller, which closes it.
    consuming func release() -> Int32 {
        let released = descriptor
        discard self
        return released
    }
}
