internal import PromisedDomain
internal import PromisedSettings
internal import PromisedTransport

/// The security policy of the page: loads and connects to this server only, no inline code, no frames.
struct WebPolicy: Sendable {
    /// The origin of map tiles as a source in the policy; nil without tiles.
    private let tileSource: String?

    /// A policy that also allows images from the host of a tile template.
    init(tiles: String?) { tileSource = tiles.flatMap(TileTemplate.source) }

    /// The headers of every file of the site.
    ///
    /// - Parameter host: the requested `Host`. Older browsers do not count a WebSocket to the same host as `'self'`, so
    ///   a valid host is added to the policy.
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
        // Photos arrive over the WebSocket, and the page shows them by `blob:` URLs.
        let pictures = ["'self'", "data:", "blob:"] + (tileSource.map { [$0] } ?? [])
        let sockets = ["'self'"] + (host.flatMap(Self.clean).map { ["ws://" + $0, "wss://" + $0] } ?? [])
        let directives = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "manifest-src 'self'",
            "img-src " + pictures.joined(separator: " "), "connect-src " + sockets.joined(separator: " "),
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        return directives.joined(separator: "; ")
    }

    /// A host with port that is safe in a policy; nil for one that could add a directive or a wildcard.
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
    /// The header of a server with TLS that makes browsers use only TLS (RFC 6797); nil if it is disabled, and without
    /// TLS, where it is invalid.
    var strictTransport: HTTPHeader? {
        guard certificate != nil, hsts > .zero else { return nil }
        return HTTPHeader("Strict-Transport-Security", "max-age=\(hsts.milliseconds / 1_000)")
    }
}
