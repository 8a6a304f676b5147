import CWebSockets

extension ConnectionLoop {
    /// The reason for refusing an upgrade, and the status of the reply.
    private struct Refusal: Error {
        let reason: TransportMetrics.Refusal
        let status: Int
        var headers: [HTTPHeader] = []
    }

    /// Validates an upgrade request before the library continues.
    ///
    /// Reads the upgrade's name from the headers, not from the callback's input: the library has already freed the
    /// input after an unknown upgrade (CVE-2025-11677). In that case the headers are gone, too, and read as absent.
    func confirmUpgrade(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard case .server(let server) = role else { return -1 }
        do throws(Refusal) {
            let info = try check(RequestHeaders(event.wsi), of: channel, server)
            channel.holdsPlace = true
            acceptor.confirm(channel.id, info)
            return 0
        } catch {
            metrics.refused(error.reason)
            if RequestHeaders(event.wsi)[WSI_TOKEN_UPGRADE] != nil {
                let response = HTTPResponse(status: error.status, headers: error.headers)
                event.socket.send(server.bytes(of: response))
            }
            return -1
        }
    }

    func openedAsServer(_ channel: Channel) -> Int32 {
        guard case .server(let server) = role, let info = acceptor.opened(channel.id) else { return -1 }
        channel.isText = info.subprotocol?.isText ?? true
        channel.state = .open
        channel.isAnnounced = true
        channel.deadlines.opened(at: timers.now)
        timers.set(for: channel)
        server.handler.opened(channel.id, info)
        return 0
    }

    private func check(
        _ headers: RequestHeaders,
        of channel: Channel,
        _ server: ServerEndpoint
    ) throws(Refusal) -> HandshakeInfo {
        try checkForm(headers, path: server.configuration.path)
        let offered = server.configuration.subprotocols
        let requested = headers[WSI_TOKEN_PROTOCOL]
        let subprotocol = Subprotocol.choose(requested: requested, offered: offered)
        // The library reads at most 126 bytes of the list, and closes connections with a longer one without a reply.
        guard requested == nil || subprotocol != nil, requested?.utf8.count ?? 0 <= 126 else {
            throw Refusal(reason: .subprotocol, status: 400)
        }
        guard let host = headers[WSI_TOKEN_HOST], let address = headers.remoteAddress else {
            throw Refusal(reason: .host, status: 400)
        }
        let info = HandshakeInfo(
            subprotocol: subprotocol,
            remoteAddress: address,
            host: host,
            origin: headers[WSI_TOKEN_ORIGIN],
            authorization: headers[WSI_TOKEN_HTTP_AUTHORIZATION],
            forwardedFor: headers.forwardedFor
        )
        guard stop.isRunning else { throw Refusal(reason: .draining, status: 503) }
        if case .refuse(let status) = server.handler.shouldAccept(info) {
            throw Refusal(reason: .handler, status: status)
        }
        switch server.admit(channel.id, info) {
        case .open: return info
        case .sourceFull: throw Refusal(reason: .source, status: 429)
        case .full: throw Refusal(reason: .limit, status: 503)
        }
    }

    /// Checks RFC 6455 §4.2.1, which the library hardly does.
    private func checkForm(_ headers: RequestHeaders, path: String) throws(Refusal) {
        guard headers[WSI_TOKEN_UPGRADE]?.lowercased() == "websocket" else {
            throw Refusal(reason: .upgrade, status: 400)
        }
        // RFC 9110 §7.8: HTTP/1.0 has no upgrades.
        guard let minor = headers.minorVersion, minor > 0, headers.wantsUpgrade else {
            throw Refusal(reason: .upgrade, status: 400)
        }
        guard headers.namesOneHost else { throw Refusal(reason: .host, status: 400) }
        guard headers[WSI_TOKEN_GET_URI] == path else { throw Refusal(reason: .path, status: 404) }
        guard !headers.announcesBody else { throw Refusal(reason: .body, status: 400) }
        guard headers[WSI_TOKEN_VERSION] == "13" else {
            let accepted = HTTPHeader("Sec-WebSocket-Version", "13")
            throw Refusal(reason: .version, status: 426, headers: [accepted])
        }
        guard let key = headers[WSI_TOKEN_KEY], Self.isKey(key) else { throw Refusal(reason: .key, status: 400) }
    }

    /// 16 bytes in Base64: 24 characters, including two of padding.
    private static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes.suffix(2) == [UInt8(ascii: "="), UInt8(ascii: "=")] else { return false }
        return bytes.prefix(22).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
