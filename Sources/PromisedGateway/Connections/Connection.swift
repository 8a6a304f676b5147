internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
package import PromisedEngine
package import PromisedProtocol
internal import PromisedSettings

/// The facts of a connection that opens.
package struct Opening: Sendable {
    package var codec: WireCodec
    /// The client's address as text, which behind a proxy differs from the peer's.
    package var address: String
    /// The `Authorization` of the upgrade; nil without one. A secret: never log it.
    package var authorization: String?

    package init(codec: WireCodec, address: String, authorization: String? = nil) {
        self.codec = codec
        self.address = address
        self.authorization = authorization
    }
}

/// One client's connection: its state, and the queued frames.
///
/// Frames of a connection are processed one after the other, so replies are sent in the order of the requests.
final class Connection: Sendable {
    private struct State: Sendable {
        var identity: Identity?
        /// The administrator, once signed in as one; never together with an identity.
        var administrator: Administrator?
        /// The client program, as named in `hello`.
        var client = ""
        /// The device's id in the rules; derived from the connection until `hello` names another.
        var device: DeviceKey
        /// The readings of `syncClock` in the last 10 minutes, oldest first.
        var syncs: [ClockSync] = []
        /// The subscribed promises: mostly one, so no set.
        var subscriptions: [PromiseID] = []
        /// The session that received the last report, while it exists: probably also that of the next one.
        weak var reportedTo: PromiseSession?
        /// The promise that the connection watches by a view link; such a connection can do nothing else.
        var watched: PromiseID?
        /// `true` if `hello` requested it: unknown fields make a request invalid.
        var isStrict = false
        /// The number of requests before the sign-in.
        var requestsBeforeSignIn = 0
        var budget: RequestBudget
        var pieces = PieceWindows()
        /// How long the screen that the connection shows counts as its focus.
        var focus = FocusLease()
        var inbox: [ReceivedFrame] = []
        var isServed = false
        /// `true` once the connection is closed, by either end: it accepts no more frames.
        var isClosed = false

        var party: Party {
            if watched != nil { return .viewer }
            if let administrator { return .administrator(administrator) }
            return identity.map { .user($0) } ?? .stranger
        }

        mutating func close() {
            isClosed = true
            inbox = []
        }

        /// Counts a request whose turn has come.
        mutating func context(at now: Instant) -> RequestContext {
            let party = party
            if !party.isAdmitted { requestsBeforeSignIn += 1 }
            focus.noteFrame(at: now)
            // The dispatcher counts administrators' requests, because some are outside the rate.
            let admission = party.administrator == nil ? budget.request(at: now) : .allowed
            return RequestContext(
                party: party,
                requestsBeforeSignIn: party.isAdmitted ? 0 : requestsBeforeSignIn,
                admission: admission,
                device: device,
                syncs: syncs,
                session: reportedTo,
                isStrict: isStrict,
                receivedAt: now
            )
        }
    }

    /// The largest number of stored `syncClock` exchanges.
    static let syncLimit = 32

    /// Its id in sessions, which names its codec, too.
    let id: SubscriberID
    /// The client's address as text, for administrators.
    let remoteAddress: String
    /// When it opened, on the server's clock.
    let openedAt: Instant
    /// The token in the upgrade request; nil without one.
    let upgradeToken: String?
    private let state: Guarded<State>

    /// A connection that opened at `now`. Its device gets a globally unique name, because a device's reports are stored
    /// across restarts.
    ///
    /// - Parameter number: the number by which the outlet knows it.
    init(
        number: UInt64,
        _ opening: Opening,
        budget: RequestBudget,
        at now: Instant,
        random: RandomSource = .system
    ) {
        id = SubscriberID(number: number, codec: opening.codec)
        remoteAddress = opening.address
        openedAt = now
        upgradeToken = Connection.bearerToken(in: opening.authorization)
        var generator = random
        let device = DeviceKey(deviceID: "connection \(ID<Connection>(at: now, using: &generator))")
        state = Guarded(State(device: device, budget: budget))
    }

    var codec: WireCodec { id.codec }

    /// The client's address in the form that throttles use.
    var address: ThrottleAddress { ThrottleAddress(remoteAddress) }

    private static func bearerToken(in authorization: String?) -> String? {
        guard let authorization, authorization.count > 7, authorization.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(authorization.dropFirst(7))
    }

    // MARK: - Its party

    /// The signed-in user; nil before the sign-in.
    var identity: Identity? { state.withLock { $0.identity } }

    /// The signed-in administrator; nil on other connections.
    var administrator: Administrator? { state.withLock { $0.administrator } }

    /// `true` if a user or an administrator is signed in.
    var isSignedIn: Bool { state.withLock { $0.identity != nil || $0.administrator != nil } }

    /// Signs a user in, or renews the identity. Returns the former one.
    func signIn(as identity: Identity) -> Identity? {
        state.withLock { state in
            defer { state.identity = identity }
            return state.identity
        }
    }

    /// Signs an administrator in, possibly with another token than before. Returns the former one.
    func signIn(as administrator: Administrator) -> Administrator? {
        state.withLock { state in
            defer { state.administrator = administrator }
            return state.administrator
        }
    }

    /// `true` if its token expired: a user's at `limit` on the server's clock or before, an administrator's at
    /// `administratorsLimit` in real time or before.
    func isExpired(at limit: Instant, administrators administratorsLimit: Instant) -> Bool {
        state.withLock { state in
            state.identity.map { $0.expiresAt <= limit }
                ?? state.administrator?.expiresAt.map { $0 <= administratorsLimit }
                ?? false
        }
    }

    // MARK: - Its client

    /// The device's id in the rules.
    var device: DeviceKey { state.withLock { $0.device } }

    func use(_ device: DeviceKey) { state.withLock { $0.device = device } }

    /// Makes unknown fields invalid from the next request on.
    func becomeStrict() { state.withLock { $0.isStrict = true } }

    /// Stores the client program: at most 64 characters of each text, without invisible ones. `names` shares equal
    /// names of all connections: thousands use the same.
    func note(_ client: WireClientInfo, in names: SharedTexts) {
        let words = [client.name, client.version, client.platform].map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.prefix(64).filter(TextRule.isAllowed)))
        }
        let text = words.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { return }
        let shared = names.shared(text)
        state.withLock { $0.client = shared }
    }

    /// The client program, the device and the number of subscriptions, for administrators.
    var facts: (client: String, device: DeviceKey, subscriptions: Int) {
        state.withLock { ($0.client, $0.device, $0.subscriptions.count) }
    }

    /// Stores an exchange of clock readings.
    func remember(_ sync: ClockSync) {
        state.withLock { state in
            state.syncs.removeAll { sync.receivedAt - $0.receivedAt > .minutes(10) }
            if state.syncs.count == Connection.syncLimit { state.syncs.removeFirst() }
            state.syncs.append(sync)
        }
    }

    // MARK: - Its frames

    /// - Returns: `true` if the caller must start serving the connection.
    func enqueue(_ frame: ReceivedFrame) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.inbox.append(frame)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    /// Begins to process a frame that just arrived, unless another is queued or in progress.
    ///
    /// - Returns: nil if the frame must wait.
    func beginServing(at receivedAt: Instant) -> RequestContext? {
        state.withLock { state in
            guard !state.isServed, !state.isClosed else { return nil }
            state.isServed = true
            return state.context(at: receivedAt)
        }
    }

    /// Ends the processing of the frame. No other frame can have arrived: both calls come one after the other from the
    /// connection's outlet.
    func endServing() {
        state.withLock { $0.isServed = false }
    }

    /// Queues a frame, after ``beginServing(at:)`` for it, before the frames that arrived since.
    func putFirst(_ frame: ReceivedFrame) {
        state.withLock { $0.inbox.insert(frame, at: 0) }
    }

    /// The next frame to process, with the state that it needs; nil ends the serving.
    func dequeue() -> (frame: ReceivedFrame, context: RequestContext)? {
        state.withLock { state in
            guard !state.inbox.isEmpty, !state.isClosed else {
                state.inbox = []
                state.isServed = false
                return nil
            }
            let frame = state.inbox.removeFirst()
            return (frame, frame.context ?? state.context(at: frame.receivedAt))
        }
    }

    /// Counts an administrator's request that is not outside the rate.
    func charge(at now: Instant) -> RequestBudget.Answer { state.withLock { $0.budget.request(at: now) } }

    /// The window of pieces of a kind.
    func window(of kind: PieceWindows.Kind) -> PieceWindow { state.withLock { $0.pieces[kind] } }

    /// Records that an admitted piece is about to be answered.
    func answered(_ kind: PieceWindows.Kind) { state.withLock { $0.pieces[kind].answered(at: .now) } }

    /// `true` if the connection accepts no more frames.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Accepts no more frames and drops the queued ones.
    func markClosed() { state.withLock { $0.close() } }

    /// Marks the connection as ended.
    ///
    /// - Returns: `true` if it must be served once more, to end its subscriptions.
    func markEnded() -> Bool {
        state.withLock { state in
            state.close()
            defer { state.isServed = true }
            return !state.isServed && state.party.isAdmitted
        }
    }

    // MARK: - Its promises

    /// Stores a subscription.
    ///
    /// - Returns: `true` if the connection is closed, so that the caller must end the subscription.
    func note(subscriptionTo promiseID: PromiseID) -> Bool {
        state.withLock { state in
            if !state.subscriptions.contains(promiseID) { state.subscriptions.append(promiseID) }
            return state.isClosed
        }
    }

    /// Removes a subscription.
    ///
    /// - Returns: `true` if it existed.
    func forget(subscriptionTo promiseID: PromiseID) -> Bool {
        state.withLock { state in
            guard let index = state.subscriptions.firstIndex(of: promiseID) else { return false }
            state.subscriptions.remove(at: index)
            return true
        }
    }

    /// Stores the promise that the connection watches by a view link.
    ///
    /// - Returns: `true` if the connection is closed, so that the caller must end the watching.
    func note(watching promiseID: PromiseID) -> Bool {
        state.withLock { state in
            state.watched = promiseID
            return state.isClosed
        }
    }

    /// Removes all subscriptions and the watched promise, and returns them.
    func forgetPromises() -> (subscriptions: [PromiseID], watched: PromiseID?) {
        state.withLock { state in
            defer { (state.subscriptions, state.watched) = ([], nil) }
            return (state.subscriptions, state.watched)
        }
    }

    /// Stores the session that received a report.
    func note(reportTo session: PromiseSession) { state.withLock { $0.reportedTo = session } }

    // MARK: - Its focus

    /// When its focus ends unless a frame arrives before; nil if there is none.
    var focusEnd: Instant? { state.withLock { $0.focus.endsAt } }

    func beginFocus(at now: Instant) { state.withLock { $0.focus.begin(at: now) } }
}

// Contains the codec, so that a broadcast to thousands needs no look-up of their connections.
extension SubscriberID {
    /// The mark of a connection that uses JSON.
    private static let text: UInt8 = 1
    /// The mark of a connection that uses Protocol Buffers.
    private static let binary: UInt8 = 0

    init(number: UInt64, codec: WireCodec) {
        self.init(rawValue: number, mark: codec.isText ? SubscriberID.text : SubscriberID.binary)
    }

    package var codec: WireCodec { mark == SubscriberID.text ? .json : .protobuf }

    /// The number in three parts, for logs and clients: service thread, slot and generation, as `0.17.3`.
    package var name: String {
        "\(rawValue >> 56).\(rawValue & 0xFF_FFFF).\(UInt32(truncatingIfNeeded: rawValue >> 24))"
    }
}
