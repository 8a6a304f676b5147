/// The web pages from which browsers may connect. Other programs send no `Origin` and are not affected.
package enum OriginPolicy: Sendable, Hashable {
    /// Pages of the host (and port) to which the request is addressed.
    case sameHost
    /// Pages of these origins, written as browsers do (`https://example.org`, with a port unless it is the scheme's).
    case list([String])
    /// All pages.
    case any

    /// `true` if a request with this `Origin` and `Host` is allowed; also without an origin.
    package func allows(origin: String?, host: String) -> Bool {
        guard let origin else { return true }
        switch self {
        case .any: return true
        case .list(let origins): return origins.contains { $0.lowercased() == origin.lowercased() }
        case .sameHost: return Self.isSame(origin: origin.lowercased(), host: host.lowercased())
        }
    }

    private static func isSame(origin: String, host: String) -> Bool {
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
            let authority = origin.dropFirst(scheme.count)
            guard !authority.isEmpty, !authority.contains("/") else { return false }
            return drop(port, from: authority) == drop(port, from: host[...])
        }
        return false
    }

    private static func drop(_ defaultPort: String, from authority: Substring) -> Substring {
        authority.hasSuffix(defaultPort) ? authority.dropLast(defaultPort.count) : authority
    }
}
