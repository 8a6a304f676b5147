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
    /// What it says, once that is known.
    var content: WireClientFrame?
    /// What was known of its connection when its turn came; nil before.
    var context: RequestContext?
    /// When the service thread had it, before it waited for its turn.
    let receivedAt: Instant
    /// The same moment on the machine's clock, from which it is counted how long the answer took.
    let instant = ContinuousClock.now
}

/// The state of the connection that a request needs, read under one lock when the request's turn comes.
struct RequestContext: Sendable {
    /// Who, once signed in as a user.
    let identity: Identity?
    /// Whether an administrator speaks.
    let isAdministrator: Bool
    /// Whether the connection watches by a link, without an account.
    let isWatching: Bool
    /// How many requests there were before the sign-in, this one included; 0 after it.
    let requestsBeforeSignIn: Int
    /// Whether it may ask as often as it does.
    let admission: RequestBudget.Answer
    /// What the rules call the device.
    let device: DeviceKey
    /// What `syncClock` told, oldest first.
    let syncs: [ClockSync]
    /// The session that took the last report of this user, if that is still alive: most likely this one's, too.
    let session: PromiseSession?
    let receivedAt: Instant

    /// `true` if the connection has a purpose: signed in, or watching.
    var isAdmitted: Bool { identity != nil || isAdministrator || isWatching }
}

/// One client's connection: its state, and the frames that wait to be processed.
///
/// Frames of a connection are processed one after the other, so replies leave in the order of the requests.
final class Connection: Sendable {
    struct State: Sendable {
        /// Who, once signed in as a user.
        var identity: Identity?
        /// Who, once signed in as an administrator; never beside an identity.
        var administrator: Administrator?
        /// The program that speaks, as `hello` names it.
        var client = ""
        /// What the rules call the device; a name of the connection until `hello` gives another.
        var device: DeviceKey
        /// What `syncClock` told in the last 10 minutes, oldest first.
        var syncs: [ClockSync] = []
        /// What is subscribed: mostly one promise, so no set.
        var subscriptions: [PromiseID] = []
        /// The session that took the last report, as long as it lives: most likely the next one's, too.
        weak var reportedTo: PromiseSession?
        /// What is watched by a link, without an account; such a connection may do nothing else.
        var watched: PromiseID?
        var requestsBeforeSignIn = 0
        var budget: RequestBudget
        var inbox: [ReceivedFrame] = []
        var isServed = false
        /// Nothing more is accepted: it was closed, from either end.
        var isClosed = false

        var isSignedIn: Bool { identity != nil || administrator != nil }
        /// Whether it has shown what it is here for: signed in, or watching.
        var isAdmitted: Bool { isSignedIn || watched != nil }

        fileprivate mutating func close() {
            isClosed = true
            inbox = []
        }

        /// Counts a request whose turn has come.
        mutating func context(at now: Instant) -> RequestContext {
            if !isAdmitted { requestsBeforeSignIn += 1 }
            let isUserAlone = identity != nil && administrator == nil && watched == nil
            return RequestContext(
                identity: identity,
                isAdministrator: administrator != nil,
                isWatching: watched != nil,
                requestsBeforeSignIn: isAdmitted ? 0 : requestsBeforeSignIn,
                admission: budget.request(at: now),
                device: device,
                syncs: syncs,
                session: isUserAlone ? reportedTo : nil,
                receivedAt: now
            )
        }
    }

    /// The most `syncClock` exchanges that are kept.
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

    /// A connection that opened at `now`. Its device has a name that no other connection ever had, for what a device has
    /// reported is remembered over restarts.
    ///
    /// - Parameter remoteAddress: the client's address, which behind a proxy is not the handshake's.
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

    /// The client's address as throttles see it.
    var address: ThrottleAddress { ThrottleAddress(remoteAddress) }

    /// Which user the connection speaks for, nil before the sign-in.
    var identity: Identity? { state.withLock { $0.identity } }

    /// Which administrator the connection speaks for, nil for everybody else.
    var administrator: Administrator? { state.withLock { $0.administrator } }

    /// Whether the connection speaks for anybody.
    var isSignedIn: Bool { state.withLock { $0.isSignedIn } }

    /// Queues a frame. Returns whether somebody must start serving the connection.
    func enqueue(_ frame: ReceivedFrame) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.inbox.append(frame)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    /// Begins to deal with a frame that just came, when none waits and none is being dealt with. Returns nil when it
    /// must wait.
    func beginServing(at receivedAt: Instant) -> RequestContext? {
        state.withLock { state in
            guard !state.isServed, !state.isClosed else { return nil }
            state.isServed = true
            return state.context(at: receivedAt)
        }
    }

    /// The frame is dealt with, and no other can have come: both are on the connection's service thread.
    func endServing() {
        state.withLock { $0.isServed = false }
    }

    /// Puts a frame that ``beginServing(at:)`` was called for before those that came since.
    func putFirst(_ frame: ReceivedFrame) { state.withLock { $0.inbox.insert(frame, at: 0) } }

    /// The next frame to deal with, and what it needs to know; nil ends the serving.
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

    /// Takes note of the program that speaks: at most 64 characters of each of its words, none of them invisible.
    ///
    /// - Parameter names: where the names of all connections are kept: thousands have the same.
    func note(_ client: WireClientInfo, in names: SharedTexts) {
        let words = [client.name, client.version, client.platform].map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.prefix(64).filter(TextRule.isAllowed)))
        }
        let text = words.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { return }
        let shared = names.shared(text)
        state.withLock { $0.client = shared }
    }

    /// Takes note of a subscription. Returns whether the connection is gone, so that it must be ended.
    func note(subscriptionTo promiseID: PromiseID) -> Bool {
        state.withLock { state in
            if !state.subscriptions.contains(promiseID) { state.subscriptions.append(promiseID) }
            return state.isClosed
        }
    }

    /// Forgets a subscription. Returns whether there was one.
    func forget(subscriptionTo promiseID: PromiseID) -> Bool {
        state.withLock { state in
            guard let index = state.subscriptions.firstIndex(of: promiseID) else { return false }
            state.subscriptions.remove(at: index)
            return true
        }
    }

    /// Whether nothing more is taken from it.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Nothing more is taken from it, and what waits is not answered.
    func markClosed() { state.withLock { $0.close() } }

    /// The connection has ended. Returns whether it must be served once more, so that what it subscribed to is
    /// forgotten.
    func markEnded() -> Bool {
        state.withLock { state in
            state.close()
            defer { state.isServed = true }
            return !state.isServed && state.isAdmitted
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

extension Connection {
    /// As sessions know it.
    var subscriberID: SubscriberID {
        SubscriberID(rawValue: id.rawValue, mark: codec.isText ? SubscriberID.text : SubscriberID.binary)
    }
}

// Made by a connection: so that what goes to thousands needs no look at any of them.
extension SubscriberID {
    /// Marks one that speaks JSON.
    fileprivate static let text: UInt8 = 1
    /// Marks one that speaks Protocol Buffers.
    fileprivate static let binary: UInt8 = 0

    var connectionID: ConnectionID { ConnectionID(rawValue: rawValue) }

    var codec: WireCodec { mark == SubscriberID.text ? .json : .protobuf }
}

/// What one connection may ask: a rate with a burst, and an end when it ignores its refusals
/// (docs/protocol.md#connecting).
///
/// On the server's clock, which may be scaled.
package struct RequestBudget: Sendable {
    /// What a request is answered.
    package enum Answer: Sendable, Hashable {
        /// It is within the rate.
        case allowed
        /// `limit.rate`, with the time until a next request is allowed.
        case refused(retryAfter: TimeSpan)
        /// Refused like the last ones: close the connection with 4005.
        case exhausted
    }

    private var bucket: TokenBucket
    private let refusalLimit: Int
    private let refusalWindow: TimeSpan
    /// When requests were refused, ascending; at most `refusalLimit`, and none on most connections.
    private var refusals: [Instant] = []

    /// The budget of a new connection.
    package init(_ limits: ServerSettings.Limits, at now: Instant) {
        bucket = TokenBucket(perSecond: limits.requestRate, burst: limits.requestBurst, at: now)
        refusalLimit = limits.refusedRequests
        refusalWindow = limits.refusedWindow
    }

    /// Counts a request. The refusal that makes `refusedRequests` within `refusedWindow`, its end excluded, exhausts.
    package mutating func request(at now: Instant) -> Answer {
        guard let wait = bucket.take(at: now) else { return .allowed }
        refusals.removeAll { now >= $0 + refusalWindow }
        if refusals.count < refusalLimit { refusals.append(now) }
        return refusals.count >= refusalLimit ? .exhausted : .refused(retryAfter: wait)
    }
}
