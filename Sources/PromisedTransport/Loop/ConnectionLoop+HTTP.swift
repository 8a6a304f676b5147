import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Answers a plain request. The connection is closed after every reply.
    func answer(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard case .server(let server) = end else { return -1 }
        metrics.requests.increment()
        let bytes = response(to: event, of: channel, server)
        if let bytes, bytes.count <= PlainExchange.smallAnswer {
            event.socket.send(bytes)
            return -1
        }
        channel.state = .responding
        channel.deadlines.beginResponse(at: timers.now)
        timers.set(for: channel)
        if let bytes { write(bytes, to: channel, event.socket) }
        return 0
    }

    /// Sends a reply that the handler announced; drops it if the peer is gone.
    func answerLater(_ id: ConnectionID, _ bytes: [UInt8]) {
        guard let channel = channels[id], channel.state == .responding, let socket = channel.socket else { return }
        write(bytes, to: channel, socket)
    }

    private func write(_ bytes: [UInt8], to channel: Channel, _ socket: LibrarySocket) {
        channel.exchange.begin(bytes)
        socket.askToWrite()
    }

    /// Writes the next piece of a reply when the socket is writable.
    func writeResponse(of channel: Channel, _ socket: LibrarySocket) -> Int32 {
        guard channel.state == .responding, channel.exchange.hasBegun else { return 0 }
        guard socket.send(Array(channel.exchange.next())), !channel.exchange.isDone else { return -1 }
        socket.askToWrite()
        return 0
    }

    /// The bytes of the reply; nil if the handler sends it later.
    private func response(to event: LibraryEvent, of channel: Channel, _ server: ServerEnd) -> [UInt8]? {
        let headers = RequestHeaders(event.wsi)
        let method: HTTPRequest.Method
        if headers[WSI_TOKEN_GET_URI] != nil {
            method = .get
        } else if headers[WSI_TOKEN_HEAD_URI] != nil {
            method = .head
        } else {
            let allow = HTTPHeader("Allow", "GET, HEAD")
            return server.bytes(of: HTTPResponse(status: 405, headers: [allow]))
        }
        let isWellFormed = headers.minorVersion != nil && headers.namesOneHost && !headers.announcesBody
        guard isWellFormed, let address = headers.remoteAddress else {
            return server.bytes(of: HTTPResponse(status: 400), includingBody: method == .get)
        }
        let request = HTTPRequest(
            method: method,
            path: String(decoding: event.bytes, as: UTF8.self),
            remoteAddress: address,
            host: headers[WSI_TOKEN_HOST],
            authorization: headers[WSI_TOKEN_HTTP_AUTHORIZATION],
            ifNoneMatch: headers[WSI_TOKEN_HTTP_IF_NONE_MATCH],
            forwardedFor: headers.forwardedFor,
            isForwarded: headers.isForwarded || channel.exchange.mayBeForwarded
        )
        let reply = server.handler.respond(to: request) { [thread, id = channel.id] response in
            thread.post(.answer(id, server.bytes(of: response, includingBody: method == .get)))
        }
        guard case .now(let response) = reply else { return nil }
        return server.bytes(of: response, includingBody: method == .get)
    }
}

extension ServerEnd {
    /// A reply as written to the socket, with the headers common to all replies.
    func bytes(of response: HTTPResponse, includingBody: Bool = true) -> [UInt8] {
        var response = response
        response.headers += configuration.answerHeaders
        return response.bytes(includingBody: includingBody)
    }
}
