import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Sends payloads at once when nothing stands in the way, else puts them into the connection's outbox; one that has no
    /// room left there is closed as too slow.
    func enqueue(_ parcels: [Parcel], for id: ConnectionID, kind: FrameKind) {
        guard let channel = table[id], let wsi = channel.wsi else {
            traffic.discarded += parcels.count
            return
        }
        let isText =
            switch kind {
            case .ofSubprotocol: channel.isText
            case .text: true
            case .binary: false
            }
        let mayPing = channel.deadlines.mayPing(at: clock.now)
        guard parcels.count > 1 || mayPing, channel.client == nil, channel.state == .open, !isClosedByLibrary(wsi)
        else {
            for parcel in parcels { enqueue(parcel, for: channel, wsi, isText: isText) }
            return
        }
        for parcel in parcels { enqueueTogether(parcel, for: channel, wsi, isText: isText) }
        if mayPing, !packet.isEmpty {
            channel.deadlines.pinged(at: clock.now)
            packet.appendPing()
        }
        writePacket(to: channel, wsi)
    }

    /// Has a payload leave with the others of its call: in the packet that is being filled, else in the next one.
    private func enqueueTogether(_ parcel: Parcel, for channel: Channel, _ wsi: OpaquePointer, isText: Bool) {
        if pack(parcel, for: channel, wsi, isText: isText) { return }
        writePacket(to: channel, wsi)
        if !pack(parcel, for: channel, wsi, isText: isText) { enqueue(parcel, for: channel, wsi, isText: isText) }
    }

    /// Puts a payload into the packet; false when it has no room there or must wait.
    private func pack(_ parcel: Parcel, for channel: Channel, _ wsi: OpaquePointer, isText: Bool) -> Bool {
        let frame = Outbox.Frame(parcel.payload, isText: isText)
        guard channel.state == .open, canWriteNow(to: channel, wsi), channel.outbox.hasRoom(for: frame),
            packet.append(frame)
        else { return false }
        note(frame)
        return true
    }

    /// Writes the packet, if anything is in it. What the socket does not take of it the library keeps.
    private func writePacket(to channel: Channel, _ wsi: OpaquePointer) {
        if !sendPacket(to: wsi) { writeFailed(channel) }
    }

    private func enqueue(_ parcel: Parcel, for channel: Channel, _ wsi: OpaquePointer, isText: Bool) {
        guard channel.state == .open, !isClosedByLibrary(wsi) else {
            traffic.discarded += 1
            return
        }
        let frame = Outbox.Frame(parcel.payload, isText: isText)
        if channel.outbox.hasRoom(for: frame), canWriteNow(to: channel, wsi) {
            if !send(frame, to: wsi) { writeFailed(channel) }
            return
        }
        switch channel.outbox.append(frame, as: parcel.delivery) {
        case .queued(let superseded):
            traffic.superseded += superseded
            askToWrite(to: channel, wsi)
            if outboxTotal.bytes > limits.allOutboxBytes { closeFullest() }
        case .overflow:
            traffic.discarded += 1
            closeTooSlow(channel)
        }
    }

    /// Too much waits for all connections together: closes those for which most waits, until an eighth is free, for it
    /// looks at every connection.
    private func closeFullest() {
        let fullest = table.elements.filter { $0.state == .open && !$0.outbox.isEmpty }
            .sorted { $0.outbox.byteCount > $1.outbox.byteCount }
        for channel in fullest {
            guard outboxTotal.bytes > limits.allOutboxBytes / 8 * 7 else { return }
            metrics.fullOutboxes.increment()
            closeTooSlow(channel)
        }
    }

    private func closeTooSlow(_ channel: Channel) {
        metrics.slowCloses.increment()
        traffic.discarded += channel.outbox.frameCount
        beginClose(channel, .tooSlow, abandoningQueue: true)
    }

    /// A ping is due: sends it at once, too, when nothing stands in the way.
    func ping(_ channel: Channel, _ wsi: OpaquePointer) {
        guard channel.closing == nil, !isClosedByLibrary(wsi) else { return }
        guard canWriteNow(to: channel, wsi) else {
            channel.isPingDue = true
            return askToWrite(to: channel, wsi)
        }
        if !sendPing(wsi) { writeFailed(channel) }
    }

    private func writeFailed(_ channel: Channel) {
        channel.state = .closing
        giveUp(channel)
    }

    /// Whether a frame may be written before the library calls for it: nothing that came earlier waits, here or there.
    /// That is so nearly always, and saves a turn of the loop and two changes of what is waited for (decision 0021). When
    /// the socket does not take it whole the library keeps the rest, and the next one waits here.
    private func canWriteNow(to channel: Channel, _ wsi: OpaquePointer) -> Bool {
        !channel.hasAskedToWrite && channel.outbox.isEmpty && lws_partial_buffered(wsi) == 0
    }

    /// Whether the library has written a close frame or is about to, of ours or for a fault of the peer's: nothing may
    /// follow it, and the library goes on asking for more.
    private func isClosedByLibrary(_ wsi: OpaquePointer) -> Bool { lws_get_close_length(wsi) != 0 }

    /// Has the library call ``write(to:_:)`` when the socket takes bytes.
    func askToWrite(to channel: Channel, _ wsi: OpaquePointer) {
        guard !channel.hasAskedToWrite else { return }
        channel.hasAskedToWrite = true
        lws_callback_on_writable(wsi)
    }

    /// The socket takes bytes: sends what waits until it takes no more; then the close frame if any.
    func write(to channel: Channel, _ wsi: OpaquePointer) -> Int32 {
        channel.hasAskedToWrite = false
        if isClosedByLibrary(wsi) {
            traffic.discarded += channel.outbox.frameCount
            channel.outbox.removeAll()
            return 0
        }
        if channel.isPingDue, channel.closing == nil {
            channel.isPingDue = false
            guard sendPing(wsi) else { return -1 }
            return goOn(channel, wsi)
        }
        switch writeQueue(of: channel, wsi) {
        case .sent: break
        case .choked: return goOn(channel, wsi)
        case .failed: return -1
        }
        guard let closing = channel.closing else { return 0 }
        if lws_partial_buffered(wsi) != 0 { return goOn(channel, wsi) }
        return sendClose(closing, wsi)
    }

    private func writeQueue(of channel: Channel, _ wsi: OpaquePointer) -> Progress {
        while !channel.outbox.isEmpty {
            guard writeNext(of: channel, wsi) else { return .failed }
            // Asking costs a system call: only when there is more.
            if !channel.outbox.isEmpty, lws_send_pipe_choked(wsi) != 0 { return .choked }
        }
        return .sent
    }

    /// Writes the next frame of the outbox, at the server as many as one packet holds.
    private func writeNext(of channel: Channel, _ wsi: OpaquePointer) -> Bool {
        if channel.client == nil, channel.outbox.frameCount > 1 {
            while let frame = channel.outbox.first, packet.append(frame) {
                note(frame)
                _ = channel.outbox.next()
            }
            guard packet.isEmpty else { return sendPacket(to: wsi) }
        }
        guard let frame = channel.outbox.next() else { return true }
        return send(frame, to: wsi)
    }

    private func goOn(_ channel: Channel, _ wsi: OpaquePointer) -> Int32 {
        if !channel.outbox.isEmpty || channel.closing != nil { askToWrite(to: channel, wsi) }
        return 0
    }

    private func send(_ frame: Outbox.Frame, to wsi: OpaquePointer) -> Bool {
        note(frame)
        let kind = frame.isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY
        let written = frame.payload.withSendable { lws_write(wsi, $0, frame.payload.count, kind) }
        return (written ?? -1) >= 0
    }

    /// Writes the packet and empties it. Its frames have their headers, so the library has none to add.
    private func sendPacket(to wsi: OpaquePointer) -> Bool {
        guard !packet.isEmpty else { return true }
        defer { packet.removeAll() }
        return packet.withSendable { lws_write(wsi, $0, $1, LWS_WRITE_HTTP) } >= 0
    }

    private func note(_ frame: Outbox.Frame) {
        traffic.framesOut += 1
        traffic.bytesOut += frame.payload.count
    }

    /// A ping carries a byte: of the answer to an empty one the library tells nothing.
    private func sendPing(_ wsi: OpaquePointer) -> Bool {
        let headRoom = cws_head_room()
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: headRoom + 1) { buffer in
            buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress else { return false }
            return lws_write(wsi, start + headRoom, 1, LWS_WRITE_PING) >= 0
        }
    }

    /// Has the library send the close frame and wait for the peer's; our own deadline bounds that.
    private func sendClose(_ reason: CloseReason, _ wsi: OpaquePointer) -> Int32 {
        var text = reason.wireText
        lws_close_reason(wsi, lws_close_status(rawValue: UInt32(reason.code)), &text, text.count)
        return -1
    }

    /// How far the writing of what waits got.
    private enum Progress {
        case sent
        case choked
        case failed
    }
}
