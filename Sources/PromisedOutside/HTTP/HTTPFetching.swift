package import PromisedDomain

/// The HTTP client's interface: the server reaches other hosts through it alone.
package protocol HTTPFetching: Sendable {
    /// Sends a GET request and returns the reply, whatever its status, with its whole body. Redirects are not followed.
    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply
}

/// A reply from outside.
package struct OutsideReply: Sendable {
    /// The status.
    package var status: Int
    /// The body.
    package var body: [UInt8]
    /// The reply's age as the service states it, to be sent back with the next request.
    package var lastModified: String?
    /// How long the reply is valid, by its `Expires` and its `Date` or, without one, the clock here; nil if it does not say.
    package var freshFor: TimeSpan?
    /// How long the service asks to be left alone, by its `Retry-After`, whose date is read in the same way; nil if it does
    /// not.
    package var retryAfter: TimeSpan?

    /// A reply.
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

/// Why there is no reply. None of the descriptions holds an address, a key or a cell.
package enum OutsideError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration does not name the host.
    case hostNotAllowed
    /// No whole reply came in time.
    case timedOut
    /// The body is larger than allowed.
    case tooLarge
    /// No TLS connection could be trusted: the peer's certificate is not valid for its name, as a rule.
    case certificate
    /// The connection failed; the library's words.
    case unreachable(String)
    /// Too many requests wait already.
    case busy
    /// The day's requests are spent.
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
