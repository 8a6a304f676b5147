public import PromisedDomain

extension ServerConfiguration {
    /// Frames, connections and request rates (docs/protocol.md#connecting).
    public struct Limits: Sendable, Hashable {
        /// Open connections in all; the transport lowers it to the process's limit of open files less 256.
        public var connections = 20_000
        /// Open connections of one user; beyond it the oldest is closed.
        public var connectionsPerUser = 5
        /// Sign-in sessions of one user that are kept; beyond it the oldest ends.
        public var sessionsPerUser = 50
        /// Open connections of one address (of IPv6: /64) on which nobody has signed in.
        public var connectionsBeforeSignIn = 64
        /// Bytes of a frame from a signed-in client.
        public var frame = 64 << 10
        /// Bytes of a frame from a client that has not signed in; at most ``frame``.
        public var frameBeforeSignIn = 4 << 10
        /// Requests of a client that has not signed in.
        public var requestsBeforeSignIn = 5
        /// Bytes of a frame to a client.
        public var sentFrame = 256 << 10
        /// Requests per second of one connection, on the server's clock.
        public var requestRate = 20
        /// Requests of one connection in one moment.
        public var requestBurst = 40
        /// Refused requests within ``refusedWindow`` that close a connection.
        public var refusedRequests = 40
        /// The span in which refused requests are counted, on the server's clock.
        public var refusedWindow = TimeSpan.milliseconds(10_000)
        /// Positions of one participant.
        public var fixes = FixLimits()
        /// Frames waiting for one connection; beyond it a reader counts as too slow.
        public var outboxFrames = 1_024
        /// Bytes waiting for one connection; beyond it a reader counts as too slow.
        public var outboxBytes = 1 << 20
        /// Bytes waiting for all connections together; beyond it those for which most waits count as too slow.
        public var allOutboxBytes = 256 << 20
    }

    /// How many attempts an address or account has, on the real clock (domain §2).
    ///
    /// Limits per address do not hold for loopback addresses. Of IPv6 they are those of a /64; the networks around it have
    /// a multiple of them.
    public struct Throttle: Sendable, Hashable {
        /// Handshakes per address and second.
        public var handshakes = 50
        /// Sign-ups per address and hour.
        public var signUps = 20
        /// The span in which failed sign-ins are counted.
        public var signInWindow = TimeSpan.minutes(15)
        /// Failed sign-ins of one address on one account.
        public var signInsPerAccountAndAddress = 10
        /// Failed sign-ins on one account from all addresses together.
        public var signInsPerAccount = 100
        /// Failed sign-ins of one address on all accounts together.
        public var signInsPerAddress = 30
        /// The window in which wrong codes are counted; real time.
        public var codeWindow = TimeSpan.minutes(15)
        /// Wrong invite codes, and wrong check-in codes, of one user within ``codeWindow``.
        public var wrongCodes = 10
        /// Nicknames one user may look up per minute, found or not.
        public var find = 60
        /// Refreshes of one session per minute.
        public var refreshes = 10
        /// How many times the limits of an address an IPv6 /56 has.
        public var factor56 = 4
        /// How many times the limits of an address an IPv6 /48 has.
        public var factor48 = 16
        /// Promises one user may make within 24 hours, those included that were cancelled since; real time.
        public var promises = 300
        /// Pages of explanations one user may ask for per minute.
        public var explanations = 10
        /// Keys each of these counters remembers at most.
        public var memory = 100_000
    }
}
