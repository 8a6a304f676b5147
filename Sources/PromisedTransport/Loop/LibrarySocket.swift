import CWebSockets

/// A socket to which ``PacketWriter`` writes.
protocol FrameSocket {
    /// `true` if a close frame has been written or is about to be, ours or one for the peer's fault: no further frames
    /// may be sent, although the library continues to ask for them.
    var isClosing: Bool { get }
    /// `true` if the socket has not accepted all earlier writes; the library buffers the rest.
    var holdsRest: Bool { get }
    /// `true` if the socket is not writable now. Costs a system call.
    var isChoked: Bool { get }

    /// Writes a frame and buffers what the socket does not accept; `false` if the connection is broken.
    func send(_ frame: Outbox.Frame) -> Bool
    /// The same for a packet, whose frames include their headers.
    func send(_ packet: inout FramePacket) -> Bool
    func sendPing() -> Bool
    /// Makes the library call back when the socket is writable.
    func askToWrite()
}

/// A socket from which ``Acceptor`` accepts.
protocol ListenerSocket: Equatable {
    var descriptor: Int32 { get }
    /// Starts reading, or leaves incoming bytes in the kernel.
    func setReading(_ isOn: Bool)
    /// Closes it in the library's next iteration.
    func kill()
}

/// The library's connection or listening socket. Used on its service thread, until its last callback.
struct LibrarySocket: FrameSocket, ListenerSocket {
    private let wsi: OpaquePointer

    init(_ wsi: OpaquePointer) { self.wsi = wsi }

    /// The slot of the connection; nil for the library's own connections.
    var slot: Int? { lws_get_opaque_user_data(wsi).map { Int(bitPattern: $0) - 1 } }

    /// The library's tag of a connection in `slot`; never null.
    static func tag(of slot: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: slot + 1) }

    // MARK: - Reading

    var descriptor: Int32 { lws_get_socket_fd(wsi) }
    func setReading(_ isOn: Bool) { lws_rx_flow_control(wsi, isOn ? 1 : 0) }

    // MARK: - Writing

    var isClosing: Bool { lws_get_close_length(wsi) != 0 }
    var holdsRest: Bool { lws_partial_buffered(wsi) != 0 }
    var isChoked: Bool { lws_send_pipe_choked(wsi) != 0 }
    func askToWrite() { lws_callback_on_writable(wsi) }

    func send(_ frame: Outbox.Frame) -> Bool {
        let kind = frame.isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY
        let written = frame.payload.withSendable { lws_write(wsi, $0, frame.payload.count, kind) }
        return (written ?? -1) >= 0
    }

    /// The library need not add headers.
    func send(_ packet: inout FramePacket) -> Bool {
        packet.withSendable { lws_write(wsi, $0, $1, LWS_WRITE_HTTP) } >= 0
    }

    /// The ping has a payload of one byte, because the library does not report the pong to an empty ping.
    func sendPing() -> Bool {
        let headRoom = cws_head_room()
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: headRoom + 1) { buffer in
            buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress else { return false }
            return lws_write(wsi, start + headRoom, 1, LWS_WRITE_PING) >= 0
        }
    }

    /// Writes HTTP bytes; the library buffers what the socket does not accept, and sends it before it closes.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var bytes = bytes
        return lws_write(wsi, &bytes, bytes.count, LWS_WRITE_HTTP) >= 0
    }

    // MARK: - Closing

    /// The code of the close frame that the library wrote on its own; nil without one.
    var closeCode: UInt16? {
        guard lws_get_close_length(wsi) >= 2, let payload = lws_get_close_payload(wsi) else { return nil }
        return UInt16(payload[0]) << 8 | UInt16(payload[1])
    }

    /// Sets the close frame that the library sends when the callback asks it to close. The library then waits for the
    /// peer's close frame; our own deadline limits that.
    func setCloseFrame(_ reason: CloseReason) {
        var text = reason.wireText
        lws_close_reason(wsi, lws_close_status(rawValue: UInt32(reason.code)), &text, text.count)
    }

    /// Ends it without a closing handshake, in the library's next iteration.
    func kill() { cws_kill(wsi) }
}
