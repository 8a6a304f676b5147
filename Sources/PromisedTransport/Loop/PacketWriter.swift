/// Writes frames to the connections of one service thread: at once if no earlier frame waits, several to one connection
/// in one packet, and otherwise through the connection's outbox.
///
/// Never closes a connection: it returns the outcome of a frame to the loop.
struct PacketWriter {
    enum Outcome: Equatable {
        /// The frame is written, or the connection accepts no more; a ping may also wait.
        case done
        /// The frame waits in the outbox.
        case queued
        /// The outbox has no room for the frame.
        case overflow
        /// The connection is broken.
        case failed
    }

    /// The progress of writing the outbox.
    enum WriteProgress: Equatable {
        /// The socket accepted what it could; if more waits, the library calls back.
        case done
        /// Everything is written: the close frame can follow.
        case readyToClose
        /// The connection is broken.
        case failed
    }

    /// The frames to write in one call; empty between such calls, kept to reuse its memory.
    private var packet = FramePacket()
    private var sent = SentTraffic()

    // MARK: - What is to be sent

    /// `true` if several frames may be sent in one packet.
    func mayPack(for channel: Channel, on socket: some FrameSocket) -> Bool {
        channel.client == nil && channel.state == .open && !socket.isClosing
    }

    /// Sends a payload at once if no earlier frame waits, else adds it to the connection's outbox.
    mutating func send(
        _ outgoing: OutgoingPayload,
        isText: Bool,
        to channel: Channel,
        on socket: some FrameSocket
    ) -> Outcome {
        guard channel.state == .open, !socket.isClosing else {
            discard(1)
            return .done
        }
        let frame = Outbox.Frame(outgoing.payload, isText: isText)
        if channel.output.outbox.hasRoom(for: frame), canWriteNow(to: channel, socket) {
            note(frame)
            return socket.send(frame) ? .done : .failed
        }
        switch channel.output.outbox.append(frame, as: outgoing.delivery) {
        case .queued(let superseded):
            sent.superseded += superseded
            askToWrite(to: channel, socket)
            return .queued
        case .overflow:
            discard(1)
            return .overflow
        }
    }

    /// Adds a payload to the packet of its call, or to the next one.
    mutating func pack(
        _ outgoing: OutgoingPayload,
        isText: Bool,
        to channel: Channel,
        on socket: some FrameSocket
    ) -> Outcome {
        if fill(with: outgoing, isText: isText, for: channel, socket) { return .done }
        guard sendPacket(to: socket) else {
            discard(1)
            return .failed
        }
        if fill(with: outgoing, isText: isText, for: channel, socket) { return .done }
        return send(outgoing, isText: isText, to: channel, on: socket)
    }

    /// Writes the packet if it is not empty; `mayPing`: with a ping, if one is allowed at `instant`.
    mutating func finishPacket(
        for channel: Channel,
        on socket: some FrameSocket,
        mayPing: Bool,
        at instant: LoopInstant
    ) -> Outcome {
        if mayPing, !packet.isEmpty {
            channel.deadlines.pinged(at: instant)
            packet.appendPing()
        }
        return sendPacket(to: socket) ? .done : .failed
    }

    /// Sends a due ping at once if no earlier frame waits.
    func ping(_ channel: Channel, on socket: some FrameSocket) -> Outcome {
        guard !channel.ending.isHere, !socket.isClosing else { return .done }
        guard canWriteNow(to: channel, socket) else {
            channel.output.putOffPing()
            askToWrite(to: channel, socket)
            return .done
        }
        return socket.sendPing() ? .done : .failed
    }

    /// Makes the library call ``resume(_:on:)`` when the socket is writable.
    func askToWrite(to channel: Channel, _ socket: some FrameSocket) {
        if channel.output.mustAsk() { socket.askToWrite() }
    }

    // MARK: - What waits

    /// Writes queued frames while the socket is writable.
    mutating func resume(_ channel: Channel, on socket: some FrameSocket) -> WriteProgress {
        channel.output.hasCalledBack()
        if socket.isClosing {
            discardOutbox(of: channel)
            return .done
        }
        if !channel.ending.isHere, channel.output.takePing() {
            guard socket.sendPing() else { return .failed }
            return goOn(channel, socket)
        }
        while !channel.output.outbox.isEmpty {
            guard writeNext(of: channel, socket) else { return .failed }
            if !channel.output.outbox.isEmpty, socket.isChoked { return goOn(channel, socket) }
        }
        guard channel.ending.isHere else { return .done }
        return socket.holdsRest ? goOn(channel, socket) : .readyToClose
    }

    mutating func discardOutbox(of channel: Channel) {
        discard(channel.output.outbox.frameCount)
        channel.output.outbox.removeAll()
    }

    // MARK: - Numbers

    /// Counts frames discarded because the connection has ended.
    mutating func discard(_ frames: Int) { sent.discarded += frames }

    /// The traffic since the last call.
    mutating func takeTraffic() -> SentTraffic {
        defer { sent = SentTraffic() }
        return sent
    }

    private mutating func note(_ frame: Outbox.Frame) {
        sent.frames += 1
        sent.bytes += frame.payload.count
    }

    // MARK: - Internals

    /// `true` if a frame may be written before the library calls for it: nothing earlier waits, here or there. That is
    /// nearly always so, and saves a turn of the loop and two changes of the polled events (HowFramesLeave.md). If the
    /// socket does not take it whole, the library keeps the rest, and the next one waits here.
    private func canWriteNow(to channel: Channel, _ socket: some FrameSocket) -> Bool {
        channel.output.isClear && !socket.holdsRest
    }

    /// Adds a payload to the packet; `false` if it has no room or the payload must wait.
    private mutating func fill(
        with outgoing: OutgoingPayload,
        isText: Bool,
        for channel: Channel,
        _ socket: some FrameSocket
    ) -> Bool {
        let frame = Outbox.Frame(outgoing.payload, isText: isText)
        guard channel.state == .open, canWriteNow(to: channel, socket), channel.output.outbox.hasRoom(for: frame),
            packet.append(frame)
        else { return false }
        note(frame)
        return true
    }

    /// Writes the packet and empties it.
    private mutating func sendPacket(to socket: some FrameSocket) -> Bool {
        guard !packet.isEmpty else { return true }
        defer { packet.removeAll() }
        return socket.send(&packet)
    }

    /// Writes the next frame of the outbox; at the server, as many as fit into one packet.
    private mutating func writeNext(of channel: Channel, _ socket: some FrameSocket) -> Bool {
        if channel.client == nil, channel.output.outbox.frameCount > 1 {
            while let frame = channel.output.outbox.first, packet.append(frame) {
                note(frame)
                _ = channel.output.outbox.next()
            }
            guard packet.isEmpty else { return sendPacket(to: socket) }
        }
        guard let frame = channel.output.outbox.next() else { return true }
        note(frame)
        return socket.send(frame)
    }

    private func goOn(_ channel: Channel, _ socket: some FrameSocket) -> WriteProgress {
        if !channel.output.outbox.isEmpty || channel.ending.isHere { askToWrite(to: channel, socket) }
        return .done
    }
}

/// The frames that one service thread has sent and dropped: plain numbers, so that counting a frame needs no look-up.
struct SentTraffic: Equatable {
    var frames = 0
    var bytes = 0
    /// Queued frames replaced by later ones.
    var superseded = 0
    /// Frames for ended connections.
    var discarded = 0
}
