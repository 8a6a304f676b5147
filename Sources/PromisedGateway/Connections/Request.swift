internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// A frame that the gateway has received.
struct ReceivedFrame: Sendable {
    let bytes: [UInt8]
    var content: WireClientFrame?
    /// The state of its connection at its turn; nil before that.
    var context: RequestContext?
    /// When it arrived, before it was queued.
    let receivedAt: Instant
    /// The same instant on the machine's clock, to measure the time to the reply.
    let instant = ContinuousClock.now
}

/// The state of the connection that a request needs, read under one lock when the request's turn comes.
struct RequestContext: Sendable {
    let party: Party
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
}

/// The sender of a request, by which rights are decided.
enum Party: Sendable {
    /// Not signed in.
    case stranger
    case user(Identity)
    case administrator(Administrator)
    /// Watches a promise by a view link, without an account.
    case viewer

    /// `true` if the connection has a purpose: signed in, or watching.
    var isAdmitted: Bool { if case .stranger = self { false } else { true } }

    var administrator: Administrator? {
        if case .administrator(let administrator) = self { administrator } else { nil }
    }

    private var kind: RequestSenders {
        switch self {
        case .stranger: .stranger
        case .user: .user
        case .administrator: .administrator
        case .viewer: .viewer
        }
    }

    /// Refuses a request that this party may not send. The only place that decides it: for reports on their short way
    /// (``RequestSenders/ofReports``) as for all others.
    func require(_ senders: RequestSenders) throws(RequestError) {
        guard !senders.contains(kind) else { return }
        throw RequestError(isAdmitted ? .authForbidden : .authRequired)
    }

    /// The user. Throws `auth.required` for every other party.
    var user: Identity {
        get throws(RequestError) {
            guard case .user(let identity) = self else { throw RequestError(.authRequired) }
            return identity
        }
    }
}

extension RequestSenders {
    /// The parties that may report, as declared in the schema.
    static let ofReports = WireRequest.report(WireReport()).senders
}
