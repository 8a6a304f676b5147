package import PromisedDomain

extension ServerSettings {
    /// Frames, connections and request rates (docs/protocol.md#connecting).
    package struct Limits: Sendable, Hashable {
        /// The maximum number of open connections; the transport lowers it to the process's limit of open files minus
        /// 256.
        package var connections = 20_000
        /// Open connections of one user; beyond it the oldest is closed.
        package var connectionsPerUser = 5
        /// Stored sign-in sessions per user; beyond it the oldest ends.
        package var sessionsPerUser = 50
        /// Open connections of one address (of IPv6: /64) before sign-in.
        package var connectionsBeforeSignIn = 64
        /// Bytes of a frame from a signed-in client.
        package var frame = 64 << 10
        /// Bytes of a frame from a client that has not signed in; at most ``frame``.
        package var frameBeforeSignIn = 4 << 10
        /// Requests of a client that has not signed in.
        package var requestsBeforeSignIn = 5
        /// Bytes of a frame to a client.
        package var sentFrame = 256 << 10
        /// Requests per second of one connection, on the server's clock.
        package var requestRate = 20
        /// Requests of one connection in one burst.
        package var requestBurst = 40
        /// Refused requests within ``refusedWindow`` that close a connection.
        package var refusedRequests = 40
        /// The span in which refused requests are counted, on the server's clock.
        package var refusedWindow = TimeSpan.milliseconds(10_000)
        /// Positions of one participant.
        package var fixes = FixLimits()
        /// Frames waiting for one connection; beyond it a reader counts as too slow.
        package var outboxFrames = 1_024
        /// Bytes waiting for one connection; beyond it a reader counts as too slow.
        package var outboxBytes = 1 << 20
        /// Bytes waiting for all connections together; beyond it the fullest ones count as too slow.
        package var allOutboxBytes = 256 << 20
    }

    /// The limits on attempts of an address or account, on the real clock (domain §2).
    ///
    /// Limits per address do not apply to loopback. For IPv6 they apply to a /64; the surrounding networks have a
    /// multiple of these limits.
    package struct Throttle: Sendable, Hashable {
        /// Handshakes per address and second.
        package var handshakes = 50
        /// Sign-ups per address and hour.
        package var signUps = 20
        /// The span in which failed sign-ins are counted.
        package var signInWindow = TimeSpan.minutes(15)
        /// Failed sign-ins of one address on one account.
        package var signInsPerAccountAndAddress = 10
        /// Failed sign-ins on one account from all addresses together.
        package var signInsPerAccount = 100
        /// Failed sign-ins of one address on all accounts together.
        package var signInsPerAddress = 30
        /// The window in which wrong codes are counted; real time.
        package var codeWindow = TimeSpan.minutes(15)
        /// Wrong invite codes, and wrong check-in codes, of one user within ``codeWindow``.
        package var wrongCodes = 10
        /// Nicknames one user may look up per minute, whether or not they exist.
        package var find = 60
        /// Refreshes of one session per minute.
        package var refreshes = 10
        /// The factor by which an IPv6 /56 exceeds the limits of an address.
        package var factor56 = 4
        /// The factor by which an IPv6 /48 exceeds the limits of an address.
        package var factor48 = 16
        /// Promises one user may create within 24 hours, including those cancelled since; real time.
        package var promises = 300
        /// Pages of explanations one user may request per minute.
        package var explanations = 10
        /// The most keys that each of these counters stores.
        package var memory = 100_000
    }
}
