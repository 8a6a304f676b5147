internal import PromisedProtocol

/// Pending calls: each waits for its reply, or first for a connection. Each ends once, at the latest with its timeout.
struct CallTable: Sendable {
    typealias Outcome = Result<WireContent, ClientError>

    struct Call: Sendable {
        /// Ends the call; called once.
        let end: @Sendable (Outcome) -> Void
        let subscription: Subscription?
        /// On the clock's ``ClientTime/uptime``.
        fileprivate let deadline: Duration
    }

    /// The timeout of a call.
    private let patience: Duration
    private var lastID: UInt32
    /// The sent calls, by the id of their frame.
    private var sent: [UInt32: Call] = [:]
    /// The calls that wait for a connection.
    private var offline: [UInt32: Call] = [:]

    /// Creates an empty table. `lastID` is the id before the first one.
    init(patience: Duration, lastID: UInt32 = 0) {
        self.patience = patience
        self.lastID = lastID
    }

    /// The id of the next call; never 0, which requests no reply.
    mutating func nextID() -> UInt32 {
        lastID = lastID == .max ? 1 : lastID + 1
        return lastID
    }

    // MARK: - Waiting

    mutating func awaitReply(
        _ id: UInt32,
        at now: Duration,
        for subscription: Subscription? = nil,
        end: @escaping @Sendable (Outcome) -> Void
    ) {
        sent[id] = Call(end: end, subscription: subscription, deadline: now + patience)
    }

    mutating func awaitConnection(_ id: UInt32, at now: Duration, end: @escaping @Sendable (Outcome) -> Void) {
        offline[id] = Call(end: end, subscription: nil, deadline: now + patience)
    }

    // MARK: - Ending

    /// Removes the call that a reply answers; the caller ends it. Nil if no call waits for this reply.
    mutating func takeAnswered(_ id: UInt32) -> Call? { sent.removeValue(forKey: id) }

    mutating func end(_ id: UInt32, _ error: ClientError) {
        let call = sent.removeValue(forKey: id) ?? offline.removeValue(forKey: id)
        call?.end(.failure(error))
    }

    /// Ends the calls that wait for a connection: there is one now.
    mutating func connected() {
        let waiting = offline
        offline = [:]
        for call in waiting.values { call.end(.success(.done(WireDone()))) }
    }

    /// Ends the sent calls: their replies will not arrive.
    mutating func endSent(_ error: ClientError) {
        let ended = sent
        sent = [:]
        for call in ended.values { call.end(.failure(error)) }
    }

    /// Ends the sent calls after the server could not decode a frame. The first call fails with the fault, because the
    /// server answers in order; the others may be repeated.
    mutating func endSent(malformed fault: WireErrorReply) {
        let ended = sent
        sent = [:]
        var later = fault
        later.retry = Retry.later.wireValue
        let first = ended.min {
            $0.value.deadline < $1.value.deadline || $0.value.deadline == $1.value.deadline && $0.key < $1.key
        }
        for (id, call) in ended { call.end(.failure(.refused(id == first?.key ? fault : later))) }
    }

    mutating func endAll(_ error: ClientError) {
        endSent(error)
        let ended = offline
        offline = [:]
        for call in ended.values { call.end(.failure(error)) }
    }

    /// Ends the calls whose timeout has passed.
    mutating func expire(at now: Duration) {
        let waiting = sent.merging(offline) { call, _ in call }
        for (id, call) in waiting where call.deadline <= now { end(id, .timedOut) }
    }

    /// When to check for expired calls again. All calls have the same timeout, so a call made until then ends no
    /// earlier.
    func nextExpiry(at now: Duration) -> Duration {
        let first = (sent.values.lazy.map(\.deadline) + offline.values.lazy.map(\.deadline)).min()
        return max(first ?? now + patience, now + .milliseconds(10))
    }
}
