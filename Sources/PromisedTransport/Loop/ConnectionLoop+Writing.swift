import CoreMetrics

extension ConnectionLoop {
    /// Sends payloads at once if no earlier frame waits, else adds them to the connection's outbox; closes a connection
    /// without room as too slow.
    func enqueue(_ payloads: [OutgoingPayload], for id: ConnectionID, kind: FrameKind) {
        guard let channel = channels[id], let socket = channel.socket else { return writer.discard(payloads.count) }
        let isText =
            switch kind {
            case .ofSubprotocol: channel.isText
            case .text: true
            case .binary: false
            }
        let now = timers.now
        let mayPing = channel.deadlines.mayPing(at: now)
        guard payloads.count > 1 || mayPing, writer.mayPack(for: channel, on: socket) else {
            for outgoing in payloads {
                settle(writer.send(outgoing, isText: isText, to: channel, on: socket), of: channel)
            }
            return
        }
        for outgoing in payloads {
            settle(writer.pack(outgoing, isText: isText, to: channel, on: socket), of: channel)
        }
        settle(writer.finishPacket(for: channel, on: socket, mayPing: mayPing, at: now), of: channel)
    }

    /// Sends queued frames while the socket is writable, then the close frame, if any.
    func write(to channel: Channel, _ socket: LibrarySocket) -> Int32 {
        switch writer.resume(channel, on: socket) {
        case .done: return 0
        case .failed: return -1
        case .readyToClose:
            if let reason = channel.ending.reason { socket.setCloseFrame(reason) }
            return -1
        }
    }

    /// Acts on the outcome of a frame.
    func settle(_ outcome: PacketWriter.Outcome, of channel: Channel) {
        switch outcome {
        case .done: break
        case .queued:
            if channels.isOverfull { closeFullest() }
        case .overflow: closeTooSlow(channel)
        case .failed:
            channel.state = .closing
            giveUp(channel)
        }
    }

    /// Closes the fullest connections if the shared limit is exceeded, until an eighth of it is free.
    private func closeFullest() {
        for channel in channels.fullest {
            if channels.isRelieved { return }
            metrics.fullOutboxes.increment()
            closeTooSlow(channel)
        }
    }

    private func closeTooSlow(_ channel: Channel) {
        metrics.slowCloses.increment()
        writer.discardOutbox(of: channel)
        beginClose(channel, .tooSlow)
    }
}
