internal import PromisedDomain
internal import PromisedTransport
internal import PromisedWire

/// A frame as it came in.
struct ReceivedFrame: Sendable {
    let bytes: [UInt8]
    /// When the service thread had it, before it waited for its turn.
    let receivedAt: Instant
}

/// One client's connection: what is known of it, and the frames that wait to be dealt with.
///
/// Frames of a connection are dealt with one after the other, so replies leave in the order of the requests.
final class Connection: Sendable {
    struct State: Sendable {
        /// Who, once signed in.
        var identity: Identity?
        /// What the rules call the device; a name of the connection until `hello` gives another.
        var device: DeviceKey
        /// What `syncClock` told in the last 10 minutes, oldest first.
        var syncs: [ClockSync] = []
        /// What is subscribed.
        var subscriptions: Set<PromiseID> = []
        /// How many requests came before the sign-in.
        var requestsBeforeSignIn = 0
        var budget: RequestBudget
        var inbox: [ReceivedFrame] = []
        var isServed = false
        /// Nothing more is taken: it was closed, from either end.
        var isClosed = false
    }

    /// At most so many `syncClock` exchanges are remembered.
    static let syncLimit = 32

    let id: ConnectionID
    let codec: WireCodec
    /// The client's address as throttles see it.
    let address: ThrottleAddress
    /// The token that came with the upgrade; nil without one.
    let upgradeToken: String?
    let state: Guarded<State>

    /// A connection that opened at `now`. Its device has a name that no other connection ever had, for what a device has
    /// reported is remembered over restarts.
    init(id: ConnectionID, codec: WireCodec, handshake: HandshakeInfo, budget: RequestBudget, at now: Instant) {
        self.id = id
        self.codec = codec
        address = ThrottleAddress(handshake.remoteAddress)
        upgradeToken = Connection.bearerToken(in: handshake.authorization)
        var generator = SystemRandomNumberGenerator()
        let device = DeviceKey(deviceID: "connection \(ID<Connection>(at: now, using: &generator))")
        state = Guarded(State(device: device, budget: budget))
    }

    /// Who the connection speaks for, nil before the sign-in.
    var identity: Identity? { state.withLock { $0.identity } }

    /// Queues a frame.
    ///
    /// - Returns: whether somebody must start serving the connection.
    func enqueue(_ frame: ReceivedFrame) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.inbox.append(frame)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    /// The next frame to deal with; nil ends the serving.
    func dequeue() -> ReceivedFrame? {
        state.withLock { state in
            guard !state.inbox.isEmpty, !state.isClosed else {
                state.inbox = []
                state.isServed = false
                return nil
            }
            return state.inbox.removeFirst()
        }
    }

    /// Nothing more is taken from it, and what waits is not dealt with.
    func markClosed() {
        state.withLock { state in
            state.isClosed = true
            state.inbox = []
        }
    }

    /// Takes note of an exchange of clocks.
    func remember(_ sync: ClockSync) {
        state.withLock { state in
            state.syncs.removeAll { sync.receivedAt - $0.receivedAt > .minutes(10) }
            if state.syncs.count == Connection.syncLimit { state.syncs.removeFirst() }
            state.syncs.append(sync)
        }
    }

    private static func bearerToken(in authorization: String?) -> String? {
        guard let authorization, authorization.count > 7, authorization.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(authorization.dropFirst(7))
    }
}
