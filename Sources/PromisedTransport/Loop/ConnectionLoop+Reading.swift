import CWebSockets

extension ConnectionLoop {
    /// Longer messages, in bytes, are read at once, without waiting for further events.
    private static let longMessage = 1024

    /// Handles a received piece of a message.
    func received(_ event: LibraryEvent, by channel: Channel) -> Int32 {
        let now = timers.now
        channel.deadlines.heard(at: now)
        guard channel.state == .open else { return 0 }
        let isText = lws_frame_is_binary(event.wsi) == 0
        if channel.client == nil, isText != channel.isText {
            beginClose(channel, .malformedFrame, abandoningQueue: true)
            return 0
        }
        let outcome = channel.input.add(
            event.bytes,
            remaining: lws_remaining_packet_payload(event.wsi),
            isFinal: lws_is_final_fragment(event.wsi) != 0,
            isText: isText
        )
        switch outcome {
        case .incomplete(let announced):
            if announced > Self.longMessage { library.longMessageComes() }
            messageGrows(channel, at: now)
        case .message(let bytes): deliver(bytes, isText: isText, from: channel, at: now)
        case .tooLarge: beginClose(channel, .tooLarge, abandoningQueue: true)
        case .malformedText: beginClose(channel, .malformedText, abandoningQueue: true)
        }
        return 0
    }

    /// Handles a received pong.
    func heard(_ channel: Channel) -> Int32 {
        channel.deadlines.heard(at: timers.now)
        return 0
    }

    /// Handles the peer's close frame; the library answers it unless it is malformed.
    func peerCloses(_ event: LibraryEvent, _ channel: Channel) -> Int32 {
        guard channel.ending.isUnknown else { return 0 }
        let bytes = event.bytes
        // RFC 6455 §5.5.1; the library checks neither the shortest payload nor the end of the text.
        guard bytes.count != 1 else { return fail(channel, .protocolError, event.socket) }
        guard let text = String(validating: bytes.dropFirst(2), as: UTF8.self) else {
            return fail(channel, .malformedText, event.socket)
        }
        let code = bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1005
        end(channel, .peer(CloseReason(code: code, text: text)))
        return 0
    }

    /// Answers a malformed close frame with one that states the fault.
    private func fail(_ channel: Channel, _ reason: CloseReason, _ socket: LibrarySocket) -> Int32 {
        end(channel, .here(reason))
        socket.setCloseFrame(reason)
        return -1
    }

    /// Records that close frames are being exchanged: from now on nothing is sent or received.
    private func end(_ channel: Channel, _ ending: Ending) {
        channel.ending = ending
        channel.state = .closing
        channel.output.outbox.removeAll()
        channel.deadlines.beginClose(at: timers.now)
        timers.set(for: channel)
    }

    /// Stores the code if the library has ended the connection on its own.
    func noteLibraryCode(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard channel.ending.isUnknown, let code = event.socket.closeCode else { return 0 }
        channel.ending = .library(code)
        return 0
    }

    private func messageGrows(_ channel: Channel, at now: LoopInstant) {
        channel.deadlines.setMessageIncomplete(true, at: now)
        timers.set(for: channel)
    }

    private func deliver(_ bytes: [UInt8], isText: Bool, from channel: Channel, at now: LoopInstant) {
        channel.deadlines.setMessageIncomplete(false, at: now)
        countReceived(bytes: bytes.count)
        switch role {
        case .server(let server):
            let processing = server.handler.received(channel.id, bytes, isText: isText)
            if processing == .pending { count(bytes.count, of: channel, at: now) }
        case .client:
            if channel.client?.countsInbound == true { count(bytes.count, of: channel, at: now) }
            channel.client?.handler.received(channel.id, bytes, isText: isText)
        }
    }

    /// Counts a message that waits to be processed; stops reading at the mark.
    private func count(_ bytes: Int, of channel: Channel, at now: LoopInstant) {
        guard channel.input.received(bytes), channel.state == .open, let socket = channel.socket else { return }
        socket.setReading(false)
        channel.deadlines.setReadingPaused(true, at: now)
    }
}
