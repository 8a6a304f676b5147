/// The relation of two users, and what each may do about it (domain §3).
///
/// ```
///            request            accept
///   none ──────────────▶ requested ──────▶ friends
///    ▲  ▲                  │  │               │
///    │  └── reject, cancel ┘  └─ request back ─┤ (crossing requests are an acceptance)
///    └─────────── remove, block ──────────────┘
/// ```
/// Blocking is independent of these states: it ends a friendship and any open request, and a blocked user gets the same
/// answers as for an unknown user.
///
/// A rejection is silent: to the requester the request stays open, counts against their limit and can be cancelled,
/// until the state changes otherwise.
package struct Friendship: Hashable, Sendable {
    /// The state of the pair.
    package enum State: Hashable, Sendable {
        /// No relation.
        case none
        /// `by` has sent a request to the other.
        case requested(by: UserID)
        case friends
    }

    /// The smaller of the two ids.
    package let first: UserID
    /// The larger of the two ids.
    package let second: UserID
    package var state: State
    /// When the state began.
    package var since: Instant
    /// The last rejected request; a new one is possible 24 h later.
    package var rejection: Rejection?
    /// The users who block the other: none, one or both.
    package var blockedBy: Set<UserID>

    /// A rejected request.
    package struct Rejection: Hashable, Sendable {
        /// The user whose request it was.
        package var requester: UserID
        /// When it was rejected.
        package var at: Instant
        /// `true` while the requester still sees the request as open.
        package var isShown: Bool

        /// The request of `requester`, rejected at an instant.
        package init(requester: UserID, at: Instant, isShown: Bool = true) {
            self.requester = requester
            self.at = at
            self.isShown = isShown
        }
    }

    /// The counts for the limits, for both sides of the pair.
    package struct Counts: Hashable, Sendable {
        /// Friends of the acting user.
        package var mine: Int
        /// Friends of the other user.
        package var theirs: Int
        /// Open requests of the acting user, including those rejected silently.
        package var outgoing: Int

        /// Counts before the change.
        package init(mine: Int, theirs: Int, outgoing: Int) {
            self.mine = mine
            self.theirs = theirs
            self.outgoing = outgoing
        }
    }

    /// The most friends of one user.
    package static let friendLimit = 1_000
    /// The most open requests of one user.
    package static let outgoingLimit = 200
    /// The time after a rejection before the same user may send another request.
    package static let askAgainAfter = TimeSpan.hours(24)

    package init(between one: UserID, and other: UserID, since: Instant) {
        precondition(one != other, "A friendship needs two users")
        first = min(one, other)
        second = max(one, other)
        state = .none
        self.since = since
        rejection = nil
        blockedBy = []
    }

    /// The state as a user sees it: their own rejected request appears open.
    package func state(seenBy user: UserID) -> State {
        state == .none && isShownRejected(to: user) ? .requested(by: user) : state
    }

    /// `true` if a request of `user` was rejected and they still see it as open.
    private func isShownRejected(to user: UserID) -> Bool {
        rejection.map { $0.isShown && $0.requester == user } ?? false
    }

    package func other(than user: UserID) -> UserID { user == first ? second : first }

    /// `user` requests friendship; accepts the other's request if there is one. Throws the first that applies of
    /// `userNotFound` (blocked by the other), `friendBlocked`, `friendAlready`, `friendAlreadyRequested`,
    /// `friendLimit`.
    package mutating func request(by user: UserID, counts: Counts, at now: Instant) throws(Refusal) {
        if blockedBy.contains(other(than: user)) { throw .userNotFound }
        if blockedBy.contains(user) { throw .friendBlocked }
        switch state {
        case .friends: throw .friendAlready
        case .requested(let requester) where requester == user: throw .friendAlreadyRequested
        case .requested: try accept(by: user, counts: counts, at: now)
        case .none: try ask(by: user, counts: counts, at: now)
        }
    }

    /// Within 24 h of a rejection the request does not reach the other user, but the requester must not notice: if they
    /// see the rejected one as open, it is refused like any open request; if they have cancelled it, it appears to them
    /// as if it were sent.
    private mutating func ask(by user: UserID, counts: Counts, at now: Instant) throws(Refusal) {
        let isMine = rejection?.requester == user
        let isTooSoon = isMine && now < (rejection?.at ?? now) + Friendship.askAgainAfter
        if isTooSoon, isShownRejected(to: user) { throw .friendAlreadyRequested }
        let others = counts.outgoing - (isShownRejected(to: user) ? 1 : 0)
        guard counts.mine < Friendship.friendLimit, others < Friendship.outgoingLimit else { throw .friendLimit }
        if !isTooSoon { state = .requested(by: user) }
        rejection?.isShown = isTooSoon
        since = now
    }

    /// `user` accepts the other's request. Throws `userNotFound` (blocked by the other), `friendAlready`,
    /// `friendNoRequest`, `friendLimit` (of either side).
    package mutating func accept(by user: UserID, counts: Counts, at now: Instant) throws(Refusal) {
        try requireOpenRequest(to: user, of: user)
        guard counts.mine < Friendship.friendLimit, counts.theirs < Friendship.friendLimit else { throw .friendLimit }
        state = .friends
        since = now
        rejection = nil
    }

    /// `user` rejects the other's request; the requester is not notified and still sees it in their list. Throws
    /// `userNotFound` (blocked by the other), `friendAlready`, `friendNoRequest`.
    package mutating func reject(by user: UserID, at now: Instant) throws(Refusal) {
        try requireOpenRequest(to: user, of: user)
        state = .none
        rejection = Rejection(requester: other(than: user), at: now)
    }

    /// `user` cancels their own request. Throws `userNotFound` (blocked by the other), `friendAlready`,
    /// `friendNoRequest`.
    package mutating func cancelRequest(by user: UserID, at now: Instant) throws(Refusal) {
        if !blockedBy.contains(other(than: user)), state == .none, isShownRejected(to: user) {
            rejection?.isShown = false
        } else {
            try requireOpenRequest(to: other(than: user), of: user)
            state = .none
        }
        since = now
    }

    /// Either side ends the friendship. Throws `userNotFound` if they are not friends.
    package mutating func remove(at now: Instant) throws(Refusal) {
        guard state == .friends else { throw .userNotFound }
        state = .none
        since = now
    }

    /// `user` blocks the other: ends a friendship and any open request. Idempotent, and independent of a block by the
    /// other. A rejection remains, or blocking and unblocking would circumvent it.
    package mutating func block(by user: UserID, at now: Instant) {
        guard blockedBy.insert(user).inserted else { return }
        rejection?.isShown = false
        guard state != .none else { return }
        state = .none
        since = now
    }

    /// `user` unblocks the other, without restoring a friendship or a request. Idempotent.
    package mutating func unblock(by user: UserID) { blockedBy.remove(user) }

    /// - Parameters:
    ///   - receiver: the user who must have received the request.
    ///   - user: the acting user.
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
