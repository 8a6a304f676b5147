import CWebSockets

extension ConnectionLoop {
    func connect(_ attempt: ClientAttempt) {
        guard !attempt.isFinished else { return }
        guard stop.isRunning, case .client(let configuration) = role, library.raw != nil else {
            attempt.finish(.failure(.notRunning))
            return
        }
        guard !attempt.request.usesTLS || library.prepareTLS(authorities: configuration.authoritiesFile) else {
            attempt.finish(.failure(.setUpFailed("cannot set up TLS")))
            return
        }
        guard let channel = channels.insert(at: timers.now) else {
            attempt.finish(.failure(.setUpFailed("too many connections")))
            return
        }
        channel.client = ClientChannel(attempt)
        let socket = library.connect(attempt, slot: channel.id.slot)
        // A connection that failed at once has already had its last callback, so its slot is free; or it never had a
        // callback.
        guard channels[channel.id] != nil else { return }
        guard let socket else {
            gone(channel)
            return
        }
        channel.socket = socket
        timers.set(for: channel)
    }

    /// Cuts the connection of an abandoned attempt.
    func abandon(_ attempt: ClientAttempt) {
        let channel = channels.all.first { $0.client?.attempt === attempt }
        if let channel, !channel.isAnnounced { giveUp(channel) }
    }

    // MARK: - Callbacks

    /// Adds our headers to the request that the library writes. Ends an attempt that was abandoned meanwhile.
    func appendHeaders(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard let attempt = channel.client?.attempt, !attempt.isFinished,
            let cursor = event.input?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        else { return -1 }
        let lines = Array(attempt.request.headers.compactMap(\.line).joined().utf8)
        guard lines.count < event.length else { return -1 }
        cursor.pointee.update(from: lines, count: lines.count)
        cursor.pointee += lines.count
        return 0
    }

    /// Stores the sub-protocol chosen by the server, while the reply's headers are still available.
    func noteSubprotocol(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        channel.client?.subprotocol = RequestHeaders(event.wsi)[WSI_TOKEN_PROTOCOL]
        return 0
    }

    /// Reports a finished handshake, unless the attempt was abandoned meanwhile.
    func openedAsClient(_ channel: Channel) -> Int32 {
        guard let client = channel.client else { return -1 }
        let opened = ClientAttempt.Opened(id: channel.id, subprotocol: client.subprotocol)
        guard client.attempt.finish(.success(opened)) else { return -1 }
        channel.state = .open
        channel.isAnnounced = true
        channel.deadlines.opened(at: timers.now)
        timers.set(for: channel)
        client.handler.opened(channel.id, subprotocol: client.subprotocol)
        return 0
    }

    /// Reports that the connection could not be made.
    func connectFailed(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard let client = channel.client else { return 0 }
        let status = Int(lws_http_client_http_response(event.wsi))
        let text = event.input == nil ? "no answer" : String(decoding: event.bytes.prefix { $0 != 0 }, as: UTF8.self)
        if client.hasTimedOut {
            client.attempt.finish(.failure(.timedOut))
        } else if status > 0, status != 101 {
            client.attempt.finish(.failure(.handshakeRefused(status: status)))
        } else {
            client.attempt.finish(.failure(.connectFailed(text)))
        }
        return 0
    }
}
