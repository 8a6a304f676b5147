internal import PromisedDomain
internal import PromisedSettings
internal import PromisedTransport

/// The security policy of the page: loads and connects to this server only, no inline code, no frames.
struct WebPolicy: Sendable {
    /// The origin of map tiles as a source of the policy; nil without tiles.
    private let tileSource: String?

    /// A policy that also allows images from the host of a tile template.
    init(tiles: String?) { tileSource = tiles.flatMap(TileTemplate.source) }

    /// The headers that go with every file of the site.
    ///
    /// - Parameter host: The `Host` the browser asked for. Older browsers do not count a WebSocket to the same host
    ///   as `'self'`, so it is named where it is clean.
    func headers(host: String?) -> [HTTPHeader] {
        [
            HTTPHeader("Content-Security-Policy", contentSecurityPolicy(host: host)),
            HTTPHeader("X-Content-Type-Options", "nosniff"),
            HTTPHeader("X-Frame-Options", "DENY"),
            HTTPHeader("Referrer-Policy", "no-referrer"),
            HTTPHeader("Permissions-Policy", "geolocation=(self), camera=(), microphone=()"),
            HTTPHeader("Cross-Origin-Opener-Policy", "same-origin"),
            HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }

    private func contentSecurityPolicy(host: String?) -> String {
        // Photos come over the WebSocket and are shown by `blob:` URLs that the page makes.
        let pictures = ["'self'", "data:", "blob:"] + (tileSource.map { [$0] } ?? [])
        let sockets = ["'self'"] + (host.flatMap(Self.clean).map { ["ws://" + $0, "wss://" + $0] } ?? [])
        let directives = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "manifest-src 'self'",
            "img-src " + pictures.joined(separator: " "), "connect-src " + sockets.joined(separator: " "),
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        return directives.joined(separator: "; ")
    }

    /// A host with port that can stand in a policy; nil for one that could add a directive or a wildcard to it.
    private static func clean(_ host: String) -> String? {
        let isClean =
            host.utf8.count <= 255
            && host.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-:[]".unicodeScalars.contains(scalar))
            }
        return isClean && !host.isEmpty ? host : nil
    }
}

extension ServerSettings.TLS {
    /// The header with which a server with TLS makes browsers connect by TLS alone (RFC 6797); nil without TLS, over
    /// which alone it is valid, and if it is disabled.
    var strictTransport: HTTPHeader? {
        guard certificate != nil, hsts > .zero else { return nil }
        return HTTPHeader("Strict-Transport-Security", "max-age=\(hsts.milliseconds / 1_000)")
    }
}
