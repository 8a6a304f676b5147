import CWebSockets
import CoreMetrics

extension ConnectionLoop {
    /// Answers up to this size are written in one go.
    private static let smallResponse = 16 * 1024
    /// Larger ones in pieces of this size.
    private static let responsePiece = 32 * 1024

    /// A plain request came: answers it. The connection is closed after every answer.
    func answer(_ event: LibraryEvent, of channel: Channel) -> Int32 {
        guard case .server(let server) = end else { return -1 }
        metrics.requests.increment()
        let bytes = response(to: event, of: channel, server)
        guard bytes.count > Self.smallResponse else {
            writeAtOnce(bytes, to: event.wsi)
            return -1
        }
        channel.state = .responding
        channel.response = bytes[...]
        channel.deadlines.beginResponse(at: clock.now)
        setTimer(of: channel)
        lws_callback_on_writable(event.wsi)
        return 0
    }

    /// The socket takes bytes: writes the next piece of an answer.
    func writeResponse(of channel: Channel, _ wsi: OpaquePointer) -> Int32 {
        guard channel.state == .responding else { return 0 }
        let piece = channel.response.prefix(Self.responsePiece)
        channel.response = channel.response.dropFirst(piece.count)
        guard writeAtOnce(Array(piece), to: wsi), !channel.response.isEmpty else { return -1 }
        lws_callback_on_writable(wsi)
        return 0
    }

    /// Writes bytes of HTTP; what the socket does not take, the library keeps and sends before it closes.
    @discardableResult
    func writeAtOnce(_ bytes: [UInt8], to wsi: OpaquePointer) -> Bool {
        var bytes = bytes
        return lws_write(wsi, &bytes, bytes.count, LWS_WRITE_HTTP) >= 0
    }

    private func response(to event: LibraryEvent, of channel: Channel, _ server: ServerEnd) -> [UInt8] {
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
        guard !headers.announcesBody, let address = headers.remoteAddress else {
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
            isForwarded: headers.isForwarded || channel.mayBeForwarded
        )
        return server.bytes(of: server.handler.respond(to: request), includingBody: method == .get)
    }
}

extension ServerEnd {
    /// An answer as it is written, with the headers that every answer has.
    func bytes(of response: HTTPResponse, includingBody: Bool = true) -> [UInt8] {
        var response = response
        response.headers += configuration.answerHeaders
        return response.bytes(includingBody: includingBody)
    }
}
