import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Answers a plain request. The connection is closed after every reply.
    func answer(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard case .server(let server) = role else { return -1 }
        // A further request on the connection, which ends with the first reply.
        guard channel.state == .connecting else { return 0 }
        metrics.requests.increment()
        switch reply(to: event, of: channel, server) {
        case .now(let response): return send(response, to: channel, event.socket, server)
        case .later(let work):
            // The library would take further bytes for the next request.
            event.socket.setReading(false)
            beginResponse(of: channel)
            let id = channel.id
            // Ends with its work; cancelled by `gone`.
            channel.exchange.wait(for: Task { [thread] in thread.post(.respond(id, await work())) })
            return 0
        }
    }

    /// Sends a reply that the peer waited for.
    func respond(_ response: HTTPResponse, to id: ConnectionID) {
        guard case .server(let server) = role, let channel = channels[id], channel.state == .responding,
            channel.ending.isUnknown, let socket = channel.socket
        else { return }
        channel.exchange.begin(bytes(of: response, to: channel, server))
        beginResponse(of: channel)
        // The library (4.1.6) never calls back for writing while reading is paused.
        socket.setReading(true)
        // Written here, because the rest of another request would keep the library from calling back.
        socket.send(Array(channel.exchange.next()))
        socket.askToWrite()
    }

    private func send(
        _ response: HTTPResponse,
        to channel: Channel,
        _ socket: LibrarySocket,
        _ server: ServerEndpoint
    ) -> Int32 {
        let bytes = bytes(of: response, to: channel, server)
        guard bytes.count > PlainExchange.smallAnswer else {
            socket.send(bytes)
            return -1
        }
        channel.exchange.begin(bytes)
        beginResponse(of: channel)
        socket.askToWrite()
        return 0
    }

    private func bytes(of response: HTTPResponse, to channel: Channel, _ server: ServerEndpoint) -> [UInt8] {
        server.bytes(of: response, includingBody: channel.exchange.includesBody)
    }

    private func beginResponse(of channel: Channel) {
        channel.state = .responding
        channel.deadlines.beginResponse(at: timers.now)
        timers.set(for: channel)
    }

    /// Writes the next piece of a reply when the socket is writable.
    func writeResponse(of channel: Channel, _ socket: LibrarySocket) -> Int32 {
        guard channel.state == .responding, channel.exchange.hasBegun else { return 0 }
        guard !channel.exchange.isDone, socket.send(Array(channel.exchange.next())), !channel.exchange.isDone else {
            return -1
        }
        socket.askToWrite()
        return 0
    }

    private func reply(to event: LibraryEvent, of channel: Channel, _ server: ServerEndpoint) -> HTTPReply {
        let headers = RequestHeaders(event.wsi)
        let method: HTTPRequest.Method
        if headers[WSI_TOKEN_GET_URI] != nil {
            method = .get
        } else if headers[WSI_TOKEN_HEAD_URI] != nil {
            method = .head
            channel.exchange.includesBody = false
        } else {
            return .now(HTTPResponse(status: 405, headers: [HTTPHeader("Allow", "GET, HEAD")]))
        }
        let isWellFormed = headers.minorVersion != nil && headers.namesOneHost && !headers.announcesBody
        guard isWellFormed, let address = headers.remoteAddress else { return .now(HTTPResponse(status: 400)) }
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
        return server.handler.respond(to: request)
    }
}

extension ServerEndpoint {
    /// A reply as written to the socket, with the headers common to all replies.
    func bytes(of response: HTTPResponse, includingBody: Bool = true) -> [UInt8] {
        var response = response
        response.headers += configuration.answerHeaders
        return response.bytes(includingBody: includingBody)
    }
}
