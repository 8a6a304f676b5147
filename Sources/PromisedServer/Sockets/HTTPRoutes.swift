internal import PromisedConcurrency
internal import PromisedProtocol
internal import PromisedTransport

/// The replies to plain HTTP requests on the same port (docs/protocol.md#http).
struct HTTPRoutes: Sendable {
    /// `true` if the storage is writable and the server is not shutting down.
    let readiness: Readiness
    /// The live map page; nil if it is disabled or missing.
    let site: WebSite?
    /// The files for apps that open links, by the bytes of their paths.
    let appLinks: [[UInt8]: WebFile]
    let metrics: MetricsRoute

    /// Answers at once, or once a tile was read.
    func reply(to request: HTTPRequest) -> HTTPReply {
        site?.tiles?.respond(to: request) ?? .now(respond(to: request))
    }

    private func respond(to request: HTTPRequest) -> HTTPResponse {
        // The routes are ASCII. Other text is excluded first, because comparing it costs more with each combining mark.
        guard request.path.utf8.allSatisfy({ $0 < 0x80 }) else { return site?.respond(to: request) ?? .notFound }
        return switch request.path {
        case "/healthz": .text("alive\n")
        case "/readyz": readiness.isReady ? .text("ready\n") : .text("not ready\n", status: 503)
        case "/version": json(#"{"name":"promised","version":"\#(ProductVersion.text)","protocols":\#(protocols)}"#)
        case "/ws": .upgradeRequired
        case "/metrics": metrics.respond(to: request)
        default:
            appLinks[Array(request.path.utf8)]?.response(ifNoneMatch: request.ifNoneMatch, headers: [])
                ?? site?.respond(to: request) ?? (request.path == "/" ? welcome : .notFound)
        }
    }

    private var protocols: String {
        "[" + WireCodec.allCases.map { "\"\($0.subprotocol)\"" }.joined(separator: ",") + "]"
    }

    private func json(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            contentType: "application/json",
            headers: [.init("Cache-Control", "no-store")],
            body: Array((text + "\n").utf8)
        )
    }

    /// The page at the server's address if the live map page is missing.
    private var welcome: HTTPResponse {
        let html = PlainPage.document(
            """
            <h1>promised \(ProductVersion.text)</h1>
            <p>This meetup server is \(readiness.isReady ? "ready" : "not ready").
            Apps connect by WebSocket to <code>/ws</code> on this address.</p>
            <ul>
            <li><a href="/healthz">/healthz</a>: liveness</li>
            <li><a href="/readyz">/readyz</a>: readiness</li>
            <li><a href="/version">/version</a>: the server's version</li>
            </ul>
            """
        )
        return HTTPResponse(
            status: 200,
            contentType: "text/html; charset=utf-8",
            headers: [
                .init("Cache-Control", "no-store"),
                .init("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
                .init("X-Content-Type-Options", "nosniff"),
                .init("X-Frame-Options", "DENY"),
                .init("Referrer-Policy", "no-referrer"),
            ],
            body: Array(html.utf8)
        )
    }
}

extension HTTPResponse {
    /// The reply to a plain request for the WebSocket path.
    fileprivate static var upgradeRequired: HTTPResponse {
        let subprotocols = WireCodec.allCases.map(\.subprotocol).joined(separator: ", ")
        var response = HTTPResponse.text("This address is for WebSockets: connect with \(subprotocols).\n", status: 426)
        response.headers = [
            .init("Upgrade", "websocket"), .init("Connection", "Upgrade"), .init("Sec-WebSocket-Version", "13"),
            .init("Sec-WebSocket-Protocol", subprotocols),
        ]
        return response
    }
}
