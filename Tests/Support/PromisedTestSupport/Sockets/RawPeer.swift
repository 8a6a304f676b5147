internal import Glibc
internal import PromisedConcurrency
package import PromisedTransport

/// A TCP connection whose bytes a test writes and reads directly, off the cooperative pool.
package final class RawPeer: Sendable {
    private let descriptor: Int32
    private let unread = Guarded<[UInt8]>([])

    /// A frame as received over the wire.
    package struct Frame: Equatable, Sendable {
        /// The opcode: 1 text, 2 binary, 8 close, 9 ping, 10 pong.
        package var opcode: UInt8
        package var payload: [UInt8]
        /// `true` for the last frame of a message.
        package var isFinal = true

        package init(opcode: UInt8, payload: [UInt8], isFinal: Bool = true) {
            self.opcode = opcode
            self.payload = payload
            self.isFinal = isFinal
        }

        /// The code of a close frame.
        package var closeCode: UInt16? {
            guard opcode == 8 else { return nil }
            return payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 1005
        }
    }

    /// Connecting or the handshake failed.
    package struct Failure: Error {
        package init() {}
    }

    /// Connects; a small `receiveBuffer` fills soon.
    package init(_ address: ListeningAddress, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        // Bounds every wait: a read without data fails after this long.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &target.sin_addr)
        let isConnected = withUnsafePointer(to: target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure() }
    }

    deinit { close(descriptor) }

    // MARK: - Bytes

    /// Writes all bytes; `false` if the connection has ended.
    @discardableResult
    package func write(_ bytes: [UInt8]) async -> Bool {
        await offPool { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    @discardableResult
    package func write(_ text: String) async -> Bool { await write(Array(text.utf8)) }

    /// Reads the available bytes; empty at the end.
    package func read() async -> [UInt8] {
        await offPool { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return Array(buffer.prefix(max(0, count)))
        }
    }

    /// Reads until the server closes.
    package func readToEnd() async -> [UInt8] {
        var all = unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
        while true {
            let more = await read()
            guard !more.isEmpty else { return all }
            all += more
        }
    }

    /// Reads the head of an HTTP answer with its blank line; empty if the server closes first.
    package func readHead() async -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = await next() else { return "" }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - WebSocket

    /// The handshake of a conforming client, with changes.
    package static func handshake(
        path: String = "/ws",
        host: String = "127.0.0.1",
        version: String? = "13",
        key: String? = "dGhlIHNhbXBsZSBub25jZQ==",
        upgrade: String? = "websocket",
        connection: String? = "Upgrade",
        subprotocol: String? = "test.text",
        more: [String] = []
    ) -> String {
        var lines = ["GET \(path) HTTP/1.1", "Host: \(host)"]
        if let upgrade { lines.append("Upgrade: \(upgrade)") }
        if let connection { lines.append("Connection: \(connection)") }
        if let key { lines.append("Sec-WebSocket-Key: \(key)") }
        if let version { lines.append("Sec-WebSocket-Version: \(version)") }
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        return (lines + more).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Opens a WebSocket connection; fails if the server refuses.
    package static func open(_ address: ListeningAddress, receiveBuffer: Int32? = nil) async throws -> RawPeer {
        let peer = try RawPeer(address, receiveBuffer: receiveBuffer)
        await peer.write(handshake())
        guard await peer.readHead().hasPrefix("HTTP/1.1 101") else { throw Failure() }
        return peer
    }

    /// A client's frame, masked by default.
    package static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isMasked: Bool = true
    ) -> [UInt8] {
        var bytes = [opcode | (isFinal ? 0x80 : 0)]
        let mark: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(mark | UInt8(payload.count))
        case ..<65536: bytes += [mark | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [mark | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        guard isMasked else { return bytes + payload }
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    package static func closeFrame(_ code: UInt16, _ text: String = "") -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(text.utf8))
    }

    /// The next frame from the server; nil if it closes.
    package func readFrame() async -> Frame? {
        guard let first = await next(), let second = await next() else { return nil }
        var length = Int(second & 0x7F)
        if length >= 126 {
            let digits = length == 126 ? 2 : 8
            length = 0
            for _ in 0..<digits {
                guard let byte = await next() else { return nil }
                length = length << 8 | Int(byte)
            }
        }
        guard let payload = await take(length) else { return nil }
        return Frame(opcode: first & 0xF, payload: payload, isFinal: first & 0x80 != 0)
    }

    /// Reads frames until the close frame and returns its code; nil without one.
    package func readClose() async -> UInt16? {
        while let frame = await readFrame() {
            if let code = frame.closeCode { return code }
        }
        return nil
    }

    private func next() async -> UInt8? { await take(1)?.first }

    private func take(_ count: Int) async -> [UInt8]? {
        while unread.withLock({ $0.count < count }) {
            let more = await read()
            guard !more.isEmpty else { return nil }
            unread.withLock { $0 += more }
        }
        return unread.withLock { unread in
            defer { unread.removeFirst(count) }
            return Array(unread.prefix(count))
        }
    }
}

/// Runs blocking work on a separate thread.
package func offPool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let isStarted = NativeThread.run(named: "test-io") { continuation.resume(returning: body()) }
        precondition(isStarted, "The system grants no thread.")
    }
}
