/// The reply to a plain HTTP request; the connection is closed after it.
package struct HTTPResponse: Sendable, Hashable {
    /// From 200 to 599.
    package var status: Int
    /// The `Content-Type`; nil for none.
    package var contentType: String?
    /// Further headers. Headers whose name or value contains a control character are omitted.
    package var headers: [HTTPHeader]
    /// Large bodies are written piece by piece as the peer reads.
    package var body: [UInt8]

    package init(status: Int, contentType: String? = nil, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// A plain-text reply.
    package static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// 404 with a short text.
    package static let notFound = HTTPResponse.text("not found\n", status: 404)

    /// The whole reply as HTTP/1.1; for `HEAD` without the body, but with its length.
    package func bytes(includingBody: Bool = true) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n"
        if let contentType { head += HTTPHeader("Content-Type", contentType).line ?? "" }
        for header in headers { head += header.line ?? "" }
        if status != 304 { head += "Content-Length: \(body.count)\r\n" }
        head += "Connection: close\r\n\r\n"
        return includingBody ? Array(head.utf8) + body : Array(head.utf8)
    }

    private static func phrase(of status: Int) -> String {
        switch status {
        case 200: "OK"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}

/// The reply to a plain HTTP request: at once, or when the work for it is done.
package enum HTTPReply: Sendable {
    case now(HTTPResponse)
    /// Runs off the service threads, at most until the deadline of replies (``ConnectionTiming``), which ends the
    /// connection and cancels the work.
    case later(@concurrent @Sendable () async -> HTTPResponse)
}

/// A header of an HTTP request or response.
package struct HTTPHeader: Sendable, Hashable {
    /// A token such as `Cache-Control`.
    package let name: String
    /// Without line breaks.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// The header as a line of HTTP/1.1; nil if name or value would break the line.
    package var line: String? {
        let nameIsClean = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        let valueIsClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return nameIsClean && valueIsClean && !name.isEmpty ? "\(name): \(value)\r\n" : nil
    }
}
