import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Blocking: a blocked user gets the answers for an unknown user.
@Suite struct FriendshipBlockTests {
    static let me = UserID.user(1)
    static let them = UserID.user(2)
    static let now = Instant.meeting
    static let few = Friendship.Counts(mine: 0, theirs: 0, outgoing: 0)

    static let states: [Friendship.State] = [.none, .requested(by: me), .requested(by: them), .friends]

    static func pair(_ state: Friendship.State, blockedBy: Set<UserID> = []) -> Friendship {
        var friendship = Friendship(between: me, and: them, since: now - .days(9))
        friendship.state = state
        friendship.blockedBy = blockedBy
        return friendship
    }

    @Test(.proves("3.5"), arguments: states)
    func `blocking ends any friendship or request, and unblocking restores nothing`(state: Friendship.State) {
        var friendship = Self.pair(state)
        friendship.block(by: Self.me, at: Self.now)
        #expect(friendship.state == .none)
        #expect(friendship.blockedBy == [Self.me])
        #expect(friendship.since == (state == .none ? Self.now - .days(9) : Self.now))
        friendship.unblock(by: Self.me)
        #expect(friendship.state == .none)
        #expect(friendship.blockedBy == [])
    }

    @Test func `blocking again, and unblocking without a block, change nothing`() {
        var friendship = Self.pair(.friends)
        friendship.unblock(by: Self.me)
        #expect(friendship == Self.pair(.friends))
        friendship.block(by: Self.me, at: Self.now)
        let blocked = friendship
        friendship.block(by: Self.me, at: Self.now + .hours(1))
        #expect(friendship == blocked)
    }

    @Test func `each user's block is independent`() {
        var friendship = Self.pair(.none)
        friendship.block(by: Self.me, at: Self.now)
        friendship.block(by: Self.them, at: Self.now)
        #expect(friendship.blockedBy == [Self.me, Self.them])
        friendship.unblock(by: Self.me)
        #expect(friendship.blockedBy == [Self.them])
        #expect(throws: Refusal.userNotFound) {
            try friendship.request(by: Self.me, counts: Self.few, at: Self.now)
        }
        #expect(throws: Refusal.friendBlocked) {
            try friendship.request(by: Self.them, counts: Self.few, at: Self.now)
        }
    }

    @Test(arguments: states)
    func `a blocking user is unknown to the blocked one in every action`(state: Friendship.State) {
        let blocked = Self.pair(state, blockedBy: [Self.them])
        var friendship = blocked
        #expect(throws: Refusal.userNotFound) {
            try friendship.request(by: Self.me, counts: Self.few, at: Self.now)
        }
        #expect(throws: Refusal.userNotFound) {
            try friendship.accept(by: Self.me, counts: Self.few, at: Self.now)
        }
        #expect(throws: Refusal.userNotFound) { try friendship.reject(by: Self.me, at: Self.now) }
        #expect(throws: Refusal.userNotFound) { try friendship.cancelRequest(by: Self.me, at: Self.now) }
        #expect(friendship == blocked)
    }

    @Test(.proves("3.5")) func `a block also hides a rejected request`() throws {
        var friendship = Self.pair(.requested(by: Self.me))
        try friendship.reject(by: Self.them, at: Self.now)
        friendship.block(by: Self.them, at: Self.now)
        #expect(friendship.state(seenBy: Self.me) == .none)
        #expect(throws: Refusal.userNotFound) { try friendship.cancelRequest(by: Self.me, at: Self.now) }
    }

    @Test(.proves("3.5")) func `a rejection outlives a block`() throws {
        var friendship = Self.pair(.requested(by: Self.them))
        try friendship.reject(by: Self.me, at: Self.now)
        friendship.block(by: Self.them, at: Self.now)
        friendship.unblock(by: Self.them)
        #expect(friendship.state(seenBy: Self.them) == .none)
        // The requester sees a request, as if it had not been rejected; the other user is not notified.
        try friendship.request(by: Self.them, counts: Self.few, at: Self.now + .hours(23))
        #expect(friendship.state == .none && friendship.state(seenBy: Self.them) == .requested(by: Self.them))
    }
}
