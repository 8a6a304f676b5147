// Both modules have the C library's network types; the compiler picks those that it loads first.
import CWebSockets
import Glibc

/// Finds out why a connection failed by a second attempt: the library reports "Unable to connect" for an unreachable
/// host as well as for a port without a listener.
enum ConnectProbe {
    /// The library's text when the socket could not connect.
    private static let vague = "Unable to connect"
    /// The timeout of the second attempt, in milliseconds: the first has just failed.
    private static let patienceMs: Int32 = 1_000

    /// A more specific reason than the library's text; nil if that is specific enough, or if the system has none.
    static func reason(behind text: String, at address: String, port: UInt16) async -> String? {
        guard text == vague else { return nil }
        return await withCheckedContinuation { continuation in
            let isStarted = NativeThread.run(named: "promised-probe") {
                continuation.resume(returning: sentence(for: attempt(address, port), at: address, port: port))
            }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }

    /// An outcome as a sentence; nil if the second attempt succeeded.
    static func sentence(for code: Int32, at address: String, port: UInt16) -> String? {
        let peer = ListeningAddress(host: address, port: port)
        switch code {
        case 0: return nil
        case ECONNREFUSED: return "\(peer) refuses connections: no server listens there"
        case ETIMEDOUT: return "\(peer) does not answer"
        default: return "\(peer): \(String(cString: strerror(code)))"
        }
    }

    /// Connects once, and ends the connection. Returns the system's error; 0 on success.
    private static func attempt(_ address: String, _ port: UInt16) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &list) == 0, let list else { return EINVAL }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(list.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { _ = close(descriptor) }
        if connect(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, patienceMs) > 0 else { return ETIMEDOUT }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }
}
