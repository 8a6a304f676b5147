import Glibc
import PromisedTestSupport
import PromisedTransport

/// Accepts one connection and never sends data.
final class MuteServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let connections = Signals<Int32>()

    struct Failure: Error {}

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        let isStarted = NativeThread.run(named: "mute") { [listener, connections] in
            connections.note(accept(listener, nil, nil))
        }
        guard isStarted else { throw Failure() }
    }

    deinit {
        for connection in connections.all { close(connection) }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Returns after a connection.
    func accepted() async { await connections.wait { !$0.isEmpty } }

    /// `true` after the client has closed; `false` after half a minute without data.
    func isAbandoned() async throws -> Bool {
        let connection = try await connections.first { $0 }
        return await offPool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var patience = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            while true {
                let count = recv(connection, &buffer, buffer.count, 0)
                if count <= 0 { return count == 0 || errno == ECONNRESET }
            }
        }
    }
}
