internal import PromisedAccess
internal import PromisedApplication
internal import PromisedConcurrency
package import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
package import PromisedSettings
internal import PromisedTransport

struct ReceivedFrame: Sendable {
    let bytes: [UInt8]
    var content: WireClientFrame?
    /// The state of its connection at its turn; nil before that.
    var context: RequestContext?
    /// When the service thread received it, before it was queued.
    let receivedAt: Instant
    /// The same instant on the machine's clock, to measure the time to the reply.
    let instant = ContinuousClock.now
}

/// The state of the connection that a request needs, read under one lock when the request's turn comes.
struct RequestContext: Sendable {
    let identity: Identity?
    /// `true` on an administrator's connection.
    let isAdministrator: Bool
    /// `true` if the connection watches by a view link, without an account.
    let isWatching: Bool
    /// The number of requests before the sign-in, including this one; 0 after it.
    let requestsBeforeSignIn: Int
    /// The decision of the rate limit; on an administrator's connection the dispatcher decides.
    let admission: RequestBudget.Answer
    /// The device's id in the rules.
    let device: DeviceKey
    /// The readings of `syncClock`, oldest first.
    let syncs: [ClockSync]
    /// The session that received this connection's last report, if it still exists: probably also that of this report.
    let session: PromiseSession?
    /// `true` if unknown fields make a request invalid.
    let isStrict: Bool
    let receivedAt: Instant

    /// `true` if the connection has a purpose: signed in, or watching.
    var isAdmitted: Bool { identity != nil || isAdministrator || isWatching }
}

/// One client's connection: its state, and the queued frames.
///
/// Frames of a connection are processed one after the other, so replies are sent in the order of the requests.
final class Connection: Sendable {
    struct State: Sendable {
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
        /// Pending pieces of uploads, of files being read, and of imports.
        var uploads = PieceWindow(most: 2)
        var downloads = PieceWindow(most: 2)
        var imports = PieceWindow(most: 4)
        /// How long the screen that the connection shows counts as its focus.
        var focus = FocusLease()
        var inbox: [ReceivedFrame] = []
        var isServed = false
        /// `true` once the connection is closed, by either end: it accepts no more frames.
        var isClosed = false

        var isSignedIn: Bool { identity != nil || administrator != nil }
        /// `true` if the connection has a purpose: signed in, or watching.
        var isAdmitted: Bool { isSignedIn || watched != nil }

        fileprivate mutating func close() {
            isClosed = true
            inbox = []
        }

        /// Counts a request whose turn has come.
        mutating func context(at now: Instant) -> RequestContext {
            if !isAdmitted { requestsBeforeSignIn += 1 }
            focus.noteFrame(at: now)
            let isUserAlone = identity != nil && administrator == nil && watched == nil
            return RequestContext(
                identity: identity,
                isAdministrator: administrator != nil,
                isWatching: watched != nil,
                requestsBeforeSignIn: isAdmitted ? 0 : requestsBeforeSignIn,
                // The dispatcher counts administrators' requests, because some are outside the rate.
                admission: administrator == nil ? budget.request(at: now) : .allowed,
                device: device,
                syncs: syncs,
                session: isUserAlone ? reportedTo : nil,
                isStrict: isStrict,
                receivedAt: now
            )
        }
    }

    /// The largest number of stored `syncClock` exchanges.
    static let syncLimit = 32

    let id: ConnectionID
    let codec: WireCodec
    /// The client's address as text, for administrators.
    let remoteAddress: String
    /// When it opened, on the server's clock.
    let openedAt: Instant
    /// The token that came with the upgrade; nil without one.
    let upgradeToken: String?
    let state: Guarded<State>

    /// A connection that opened at `now`. Its device gets a globally unique name, because a device's reports are stored
    /// across restarts. `remoteAddress` is the client's address, which behind a proxy differs from the handshake's.
    init(
        id: ConnectionID,
        codec: WireCodec,
        remoteAddress: String,
        handshake: HandshakeInfo,
        budget: RequestBudget,
        at now: Instant,
        random: RandomSource = .system
    ) {
        self.id = id
        self.codec = codec
        self.remoteAddress = remoteAddress
        openedAt = now
        upgradeToken = Connection.bearerToken(in: handshake.authorization)
        var generator = random
        let device = DeviceKey(deviceID: "connection \(ID<Connection>(at: now, using: &generator))")
        state = Guarded(State(device: device, budget: budget))
    }

    /// The client's address in the form that throttles use.
    var address: ThrottleAddress { ThrottleAddress(remoteAddress) }

    /// The signed-in user; nil before the sign-in.
    var identity: Identity? { state.withLock { $0.identity } }

    /// The signed-in administrator; nil on other connections.
    var administrator: Administrator? { state.withLock { $0.administrator } }

    /// `true` if a user or an administrator is signed in.
    var isSignedIn: Bool { state.withLock { $0.isSignedIn } }

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

    /// Ends the processing of the frame. No other frame can have arrived: both calls run on the connection's service
    /// thread.
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
            return !state.isServed && state.isAdmitted
        }
    }

    /// Stores an exchange of clock readings.
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

extension Connection {
    /// The connection's id in sessions.
    var subscriberID: SubscriberID {
        SubscriberID(rawValue: id.rawValue, mark: codec.isText ? SubscriberID.text : SubscriberID.binary)
    }
}

// Contains the codec, so that a broadcast to thousands needs no look-up of their connections.
extension SubscriberID {
    /// The mark of a connection that uses JSON.
    fileprivate static let text: UInt8 = 1
    /// The mark of a connection that uses Protocol Buffers.
    fileprivate static let binary: UInt8 = 0

    var connectionID: ConnectionID { ConnectionID(rawValue: rawValue) }
    var codec: WireCodec { mark == SubscriberID.text ? .json : .protobuf }
}

/// The rate limit of one connection: a rate with a burst, and a close if the client ignores refusals
/// (docs/protocol.md#connecting).
///
/// On the server's clock, which may be scaled.
package struct RequestBudget: Sendable {
    /// The decision about a request.
    package enum Answer: Sendable, Hashable {
        /// Within the rate.
        case allowed
        /// Refused with `limit.rate`; the time until this request is allowed.
        case refused(retryAfter: TimeSpan)
        /// The same, and refused too often: close the connection with 4005.
        case exhausted(retryAfter: TimeSpan)
    }

    /// A refused request.
    private struct Refused: Sendable {
        var at: Instant
        /// The earliest time at which it may be repeated.
        var until: Instant
    }

    private var bucket: TokenBucket
    private let refusalLimit: Int
    private let refusalWindow: TimeSpan
    /// The time in which one more request is allowed.
    private let interval: TimeSpan
    /// The refused requests that have not been made up for, ascending; at most `refusalLimit`, and usually none.
    private var refusals: [Refused] = []

    /// The budget of a new connection.
    package init(_ limits: ServerSettings.Limits, at now: Instant) {
        bucket = TokenBucket(perSecond: limits.requestRate, burst: limits.requestBurst, at: now)
        refusalLimit = limits.refusedRequests
        refusalWindow = limits.refusedWindow
        interval = .milliseconds((1_000 + Int64(limits.requestRate) - 1) / Int64(limits.requestRate))
    }

    /// Counts a request. The refusal that brings the count in `refusedWindow` (excluding its end) to `refusedRequests`
    /// exhausts the budget.
    ///
    /// Each refused request gets its own retry time, one interval after the previous one. An allowed request makes up
    /// for a refused one whose retry time has passed: a client that obeys its retry times is never closed, whatever the
    /// number of its waiting requests, up to the limit.
    package mutating func request(at now: Instant) -> Answer {
        guard let wait = bucket.take(at: now) else {
            if let first = refusals.first, first.until <= now { refusals.removeFirst() }
            return .allowed
        }
        refusals.removeAll { now >= $0.at + refusalWindow }
        let until = max(now + wait, (refusals.last?.until ?? now) + interval)
        if refusals.count < refusalLimit { refusals.append(Refused(at: now, until: until)) }
        let retryAfter = until - now
        return refusals.count >= refusalLimit ? .exhausted(retryAfter: retryAfter) : .refused(retryAfter: retryAfter)
    }
}
