/// How two users stand to each other, and what each may do about it (domain §3).
///
/// ```
///            request            accept
///   none ──────────────▶ requested ──────▶ friends
///    ▲  ▲                  │  │               │
///    │  └── reject, cancel ┘  └─ request back ─┤ (crossing requests are an acceptance)
///    └─────────── remove, block ──────────────┘
/// ```
/// Blocking stands beside these states: it ends a friendship and any open request, and nobody whom the other blocks can
/// bring about anything but the answer that an unknown user gives.
public struct Friendship: Hashable, Sendable {
    /// Where the pair stands.
    public enum State: Hashable, Sendable {
        /// Nothing between them.
        case none
        /// `by` asked and waits for the other.
        case requested(by: UserID)
        /// Friends.
        case friends
    }

    /// The smaller of the two ids.
    public let first: UserID
    /// The larger of the two ids.
    public let second: UserID
    /// Where the pair stands.
    public var state: State
    /// Since when.
    public var since: Instant
    /// Whose request was rejected last, and when; a new one is possible 24 h later.
    public var rejection: Rejection?
    /// Who of the two blocks the other.
    public var blockedBy: Set<UserID>

    /// A rejected request.
    public struct Rejection: Hashable, Sendable {
        /// Whose request it was.
        public var requester: UserID
        /// When it was rejected.
        public var at: Instant

        /// The request of `requester`, rejected at an instant.
        public init(requester: UserID, at: Instant) {
            self.requester = requester
            self.at = at
        }
    }

    /// What counts against the limits, for both sides of the pair.
    public struct Counts: Hashable, Sendable {
        /// Friends of the acting user.
        public var mine: Int
        /// Friends of the other user.
        public var theirs: Int
        /// Open requests of the acting user.
        public var outgoing: Int

        /// Counts as they stand before the change.
        public init(mine: Int, theirs: Int, outgoing: Int) {
            self.mine = mine
            self.theirs = theirs
            self.outgoing = outgoing
        }
    }

    /// At most so many friends each.
    public static let friendLimit = 1_000
    /// At most so many open requests of one user.
    public static let outgoingLimit = 200
    /// How long after a rejection the same user may ask again.
    public static let askAgainAfter = TimeSpan.hours(24)

    /// Two different users with nothing between them, in either order.
    public init(between one: UserID, and other: UserID, since: Instant) {
        precondition(one != other, "A friendship needs two users")
        first = min(one, other)
        second = max(one, other)
        state = .none
        self.since = since
        rejection = nil
        blockedBy = []
    }

    /// The other of the two.
    public func other(than user: UserID) -> UserID { user == first ? second : first }

    /// `user` asks to be friends; becomes an acceptance when the other asked before.
    ///
    /// - Throws: the first that applies of `userNotFound` (blocked by the other), `friendBlocked`, `friendAlready`,
    ///   `friendAlreadyRequested`, `friendLimit`.
    public mutating func request(by user: UserID, counts: Counts, at now: Instant) throws(Refusal) {
        if blockedBy.contains(other(than: user)) { throw .userNotFound }
        if blockedBy.contains(user) { throw .friendBlocked }
        switch state {
        case .friends: throw .friendAlready
        case .requested(let requester) where requester == user: throw .friendAlreadyRequested
        case .requested: try accept(by: user, counts: counts, at: now)
        case .none:
            if let rejection, rejection.requester == user, now < rejection.at + Friendship.askAgainAfter {
                throw .friendAlreadyRequested
            }
            guard counts.mine < Friendship.friendLimit, counts.outgoing < Friendship.outgoingLimit else {
                throw .friendLimit
            }
            state = .requested(by: user)
            since = now
        }
    }

    /// `user` accepts the other's request.
    ///
    /// - Throws: `userNotFound` (blocked by the other), `friendAlready`, `friendNoRequest`, `friendLimit` (of either side).
    public mutating func accept(by user: UserID, counts: Counts, at now: Instant) throws(Refusal) {
        try requireOpenRequest(to: user, of: user)
        guard counts.mine < Friendship.friendLimit, counts.theirs < Friendship.friendLimit else { throw .friendLimit }
        state = .friends
        since = now
        rejection = nil
    }

    /// `user` rejects the other's request; the requester is not told.
    ///
    /// - Throws: `userNotFound` (blocked by the other), `friendAlready`, `friendNoRequest`.
    public mutating func reject(by user: UserID, at now: Instant) throws(Refusal) {
        try requireOpenRequest(to: user, of: user)
        state = .none
        since = now
        rejection = Rejection(requester: other(than: user), at: now)
    }

    /// `user` takes back their own request.
    ///
    /// - Throws: `userNotFound` (blocked by the other), `friendAlready`, `friendNoRequest`.
    public mutating func cancelRequest(by user: UserID, at now: Instant) throws(Refusal) {
        try requireOpenRequest(to: other(than: user), of: user)
        state = .none
        since = now
    }

    /// Either side ends the friendship.
    ///
    /// - Throws: `userNotFound` when they are not friends.
    public mutating func remove(at now: Instant) throws(Refusal) {
        guard state == .friends else { throw .userNotFound }
        state = .none
        since = now
    }

    /// `user` wants nothing to do with the other: ends a friendship and any open request. Again it changes nothing, and
    /// whether the other blocks, too, makes no difference. A rejection is remembered, or blocking and unblocking would
    /// be a way around it.
    public mutating func block(by user: UserID, at now: Instant) {
        guard blockedBy.insert(user).inserted else { return }
        guard state != .none else { return }
        state = .none
        since = now
    }

    /// `user` no longer blocks the other, which restores nothing. Again it changes nothing.
    public mutating func unblock(by user: UserID) {
        blockedBy.remove(user)
    }

    /// - Parameters:
    ///   - receiver: whom the request must have been made to.
    ///   - user: who acts.
    private func requireOpenRequest(to receiver: UserID, of user: UserID) throws(Refusal) {
        if blockedBy.contains(other(than: user)) { throw .userNotFound }
        switch state {
        case .friends: throw .friendAlready
        case .none: throw .friendNoRequest
        case .requested(let requester):
            guard requester != receiver else { throw .friendNoRequest }
        }
    }
}
