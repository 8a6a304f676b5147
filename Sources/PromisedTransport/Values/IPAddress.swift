// Both modules have the C library's network types; the compiler picks those that it loads first.
import CWebSockets
import Glibc

/// IP addresses as text.
enum IPAddress {
    /// `true` if the address belongs to this machine (127.0.0.0/8 or ::1).
    static func isLoopback(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address and port in `storage`, with an IPv4-mapped IPv6 address as IPv4; nil for other families.
    static func text(of storage: sockaddr_storage) -> (host: String, port: UInt16)? {
        withUnsafePointer(to: storage) { pointer in
            let raw = UnsafeRawPointer(pointer)
            switch Int32(storage.ss_family) {
            case AF_INET:
                var address = raw.assumingMemoryBound(to: sockaddr_in.self).pointee
                return text(AF_INET, &address.sin_addr).map { ($0, UInt16(bigEndian: address.sin_port)) }
            case AF_INET6:
                var address = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
                return text(AF_INET6, &address.sin6_addr).map { (unmapped($0), UInt16(bigEndian: address.sin6_port)) }
            default: return nil
            }
        }
    }

    /// The address of the peer of a connected socket; nil if it has disconnected.
    static func ofPeer(socket: Int32) -> String? {
        var storage = sockaddr_storage()
        guard query(&storage, { getpeername(socket, $0, $1) }) == 0 else { return nil }
        return text(of: storage)?.host
    }

    static func ofLocalEnd(socket: Int32) -> (host: String, port: UInt16)? {
        var storage = sockaddr_storage()
        guard query(&storage, { getsockname(socket, $0, $1) }) == 0 else { return nil }
        return text(of: storage)
    }

    /// Makes a system call that fills `storage`, and returns its result.
    static func query(
        _ storage: inout sockaddr_storage,
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }

    private static func unmapped(_ address: String) -> String {
        address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
    }
}

/// The address on which a server listens.
package struct ListeningAddress: Sendable, Hashable, CustomStringConvertible {
    package let host: String
    /// The bound port, never 0.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `127.0.0.1:8080`, or `[::1]:8080`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
