import CWebSockets

extension ConnectionLoop {
    /// Begins to connect.
    func connect(_ attempt: ClientAttempt) {
        guard !attempt.isFinished else { return }
        guard stop == nil, case .client(let configuration) = end, let raw = context?.raw, let vhost = context?.vhost,
            let policy = context?.policy
        else {
            attempt.finish(.failure(.notRunning))
            return
        }
        guard !attempt.request.usesTLS || prepareTLS(configuration) else {
            attempt.finish(.failure(.setUpFailed("TLS can't be prepared")))
            return
        }
        guard let id = table.insert(makeChannel),
            let channel = table[id]
        else {
            attempt.finish(.failure(.setUpFailed("too many connections")))
            return
        }
        channel.client = ClientChannel(attempt)
        let wsi = Self.connect(attempt, slot: id.slot, raw, vhost, policy)
        // A connection that fails at once has had its last callback, and its slot is free, or it never had any.
        guard table[id] != nil else { return }
        guard let wsi else {
            gone(channel)
            return
        }
        channel.wsi = wsi
        setTimer(of: channel)
    }

    /// An attempt is given up: cuts what has come of it.
    func abandon(_ attempt: ClientAttempt) {
        let channel = table.elements.first { $0.client?.attempt === attempt }
        if let channel, !channel.isAnnounced { giveUp(channel) }
    }

    // MARK: - Callbacks

    /// The library writes its request: adds our headers. An attempt that was given up meanwhile ends here.
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

    /// The answer's headers are there for the last time: keeps what the server chose.
    func noteSubprotocol(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        channel.client?.subprotocol = RequestHeaders(event.wsi)[WSI_TOKEN_PROTOCOL]
        return 0
    }

    /// The handshake is done; nobody hears of a connection whose attempt was given up meanwhile.
    func openedAsClient(_ channel: Channel) -> Int32 {
        guard let client = channel.client else { return -1 }
        let opened = ClientAttempt.Opened(id: channel.id, subprotocol: client.subprotocol)
        guard client.attempt.finish(.success(opened)) else { return -1 }
        channel.state = .open
        channel.isAnnounced = true
        channel.deadlines.opened(at: clock.now)
        setTimer(of: channel)
        client.handler.opened(channel.id, subprotocol: client.subprotocol)
        return 0
    }

    /// The connection could not be made.
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

    // MARK: - Internals

    private func prepareTLS(_ configuration: ClientConfiguration) -> Bool {
        if !isTLSReady { isTLSReady = context?.prepareTLS(authorities: configuration.authoritiesFile) ?? false }
        return isTLSReady
    }

    /// Asks the library to connect. Its request is made of copies, so nothing here need outlive the call.
    private static func connect(
        _ attempt: ClientAttempt,
        slot: Int,
        _ context: OpaquePointer,
        _ vhost: OpaquePointer,
        _ policy: UnsafePointer<lws_retry_bo_t>
    ) -> OpaquePointer? {
        let request = attempt.request
        let subprotocols = request.subprotocols.joined(separator: ",")
        let texts = [attempt.address, request.path, request.hostHeader, request.origin ?? "", subprotocols]
        return withCStrings(texts) { texts in
            var info = lws_client_connect_info()
            info.context = context
            info.vhost = vhost
            info.retry_and_idle_policy = policy
            info.address = texts[0]
            info.port = Int32(request.port)
            info.path = texts[1]
            info.host = texts[2]
            info.origin = request.origin == nil ? nil : texts[3]
            info.protocol = request.subprotocols.isEmpty ? nil : texts[4]
            info.opaque_user_data = LibraryEvent.tag(of: slot)
            info.ssl_connection = request.usesTLS ? 1 : 0
            return "client".withCString { name in
                info.local_protocol_name = name
                return "http/1.1".withCString { alpn in
                    info.alpn = alpn
                    return lws_client_connect_via_info(&info)
                }
            }
        }
    }

    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafePointer<CChar>]) -> Result
    ) -> Result {
        func step(_ index: Int, _ pointers: [UnsafePointer<CChar>]) -> Result {
            guard index < texts.count else { return body(pointers) }
            return texts[index].withCString { step(index + 1, pointers + [$0]) }
        }
        return step(0, [])
    }
}
