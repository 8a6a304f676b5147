package import PromisedDomain

/// The HTTP client's interface: the only way by which the server reaches other hosts.
package protocol HTTPFetching: Sendable {
    /// Sends a GET request and returns the reply, whatever its status, with its whole body. Redirects are not followed.
    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply
}

/// A reply from outside.
package struct OutsideReply: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// The modification date of the reply, to be sent back with the next request.
    package var lastModified: String?
    /// How long the reply is valid, by its `Expires` and its `Date` or, without one, the local clock; nil without an
    /// expiry.
    package var freshFor: TimeSpan?
    /// The pause requested by `Retry-After`, whose date is interpreted in the same way; nil without one.
    package var retryAfter: TimeSpan?

    package init(
        status: Int,
        body: [UInt8] = [],
        lastModified: String? = nil,
        freshFor: TimeSpan? = nil,
        retryAfter: TimeSpan? = nil
    ) {
        self.status = status
        self.body = body
        self.lastModified = lastModified
        self.freshFor = freshFor
        self.retryAfter = retryAfter
    }
}

/// Why there is no reply. The descriptions contain no address, key or cell.
package enum OutsideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration does not name the host.
    case hostNotAllowed
    /// The reply was not complete in time.
    case timedOut
    /// The body is larger than allowed.
    case tooLarge
    /// No trusted TLS connection: usually, the peer's certificate is invalid for its name.
    case certificate
    /// The connection failed; the library's error.
    case unreachable(String)
    /// The queue of requests is full.
    case busy
    /// The day's requests are used up.
    case budgetSpent
    /// The caller was cancelled.
    case cancelled

    /// A short sentence.
    package var description: String {
        switch self {
        case .hostNotAllowed: "the configuration does not name this host"
        case .timedOut: "no whole reply arrived in time"
        case .tooLarge: "the reply is larger than 1 MiB"
        case .certificate: "the peer cannot be trusted: check its certificate, the clock and the trusted roots"
        case .unreachable(let reason): "the connection failed: \(reason)"
        case .busy: "too many requests are waiting"
        case .budgetSpent: "the day's requests are spent: raise weather.daily-requests"
        case .cancelled: "the request was cancelled"
        }
    }
}
