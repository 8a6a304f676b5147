import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Answers a plain request. The connection is closed after every reply.
    func answer(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard case .server(let server) = role else { return -1 }
        metrics.requests.increment()
        let bytes = response(to: event, of: channel, server)
        guard bytes.count > PlainExchange.smallAnswer else {
            event.socket.send(bytes)
            return -1
        }
        channel.state = .responding
        channel.exchange.begin(bytes)
        channel.deadlines.beginResponse(at: timers.now)
        timers.set(for: channel)
        event.socket.askToWrite()
        return 0
    }

    /// Writes the next piece of a reply when the socket is writable.
    func writeResponse(of channel: Channel, _ socket: LibrarySocket) -> Int32 {
        guard channel.state == .responding else { return 0 }
        guard socket.send(Array(channel.exchange.next())), !channel.exchange.isDone else { return -1 }
        socket.askToWrite()
        return 0
    }

    private func response(to event: LibraryEvent, of channel: Channel, _ server: ServerEndpoint) -> [UInt8] {
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
        return server.bytes(of: server.handler.respond(to: request), includingBody: method == .get)
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
