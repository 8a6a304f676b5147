import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct FriendshipTests {
    static let me = UserID.user(1)
    static let them = UserID.user(2)
    static let now = Instant.meeting
    static let few = Friendship.Counts(mine: 0, theirs: 0, outgoing: 0)

    /// A pair in some state.
    static func pair(
        _ state: Friendship.State = .none,
        blockedBy: Set<UserID> = [],
        rejection: Friendship.Rejection? = nil
    ) -> Friendship {
        var friendship = Friendship(between: me, and: them, since: now - .days(9))
        friendship.state = state
        friendship.blockedBy = blockedBy
        friendship.rejection = rejection
        return friendship
    }

    static func rejected(_ ago: TimeSpan, requester: UserID = me, isShown: Bool = true) -> Friendship {
        pair(rejection: Friendship.Rejection(requester: requester, at: now - ago, isShown: isShown))
    }

    static let day = Friendship.askAgainAfter

    enum Act: Sendable {
        case request
        case accept
        case reject
        case cancel
        case remove
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var from: Friendship
        /// My act.
        var act: Act
        var counts: Friendship.Counts
        var outcome: Result<Friendship.State, Refusal>
        var testDescription: String { name }

        init(
            _ name: String,
            _ from: Friendship,
            _ act: Act,
            mine: Int = 0,
            theirs: Int = 0,
            outgoing: Int = 0,
            becomes state: Friendship.State
        ) {
            self.init(name: name, from: from, act: act, mine, theirs, outgoing, .success(state))
        }

        init(
            _ name: String,
            _ from: Friendship,
            _ act: Act,
            mine: Int = 0,
            theirs: Int = 0,
            outgoing: Int = 0,
            throws refusal: Refusal
        ) {
            self.init(name: name, from: from, act: act, mine, theirs, outgoing, .failure(refusal))
        }

        private init(
            name: String,
            from: Friendship,
            act: Act,
            _ mine: Int,
            _ theirs: Int,
            _ outgoing: Int,
            _ outcome: Result<Friendship.State, Refusal>
        ) {
            self.name = name
            self.from = from
            self.act = act
            counts = Friendship.Counts(mine: mine, theirs: theirs, outgoing: outgoing)
            self.outcome = outcome
        }
    }

    static let requests: [Case] = [
        Case("a stranger", pair(), .request, becomes: .requested(by: me)),
        Case("crossing requests are an acceptance", pair(.requested(by: them)), .request, becomes: .friends),
        // Each refusal separately.
        Case("they block me", pair(blockedBy: [them]), .request, throws: .userNotFound),
        Case("I block them", pair(blockedBy: [me]), .request, throws: .friendBlocked),
        Case("already friends", pair(.friends), .request, throws: .friendAlready),
        Case("already requested", pair(.requested(by: me)), .request, throws: .friendAlreadyRequested),
        // In their order.
        Case("both block", pair(blockedBy: [me, them]), .request, throws: .userNotFound),
        Case(
            "they block me, and a request",
            pair(.requested(by: me), blockedBy: [them]),
            .request,
            throws: .userNotFound
        ),
        Case(
            "I block them, and a request of theirs",
            pair(.requested(by: them), blockedBy: [me]),
            .request,
            throws: .friendBlocked
        ),
        Case(
            "requested before, with too many out",
            pair(.requested(by: me)),
            .request,
            outgoing: 200,
            throws: .friendAlreadyRequested
        ),
        // At most 1 000 friends.
        Case("999 friends", pair(), .request, mine: 999, becomes: .requested(by: me)),
        Case("1 000 friends", pair(), .request, mine: 1_000, throws: .friendLimit),
        Case("1 001 friends", pair(), .request, mine: 1_001, throws: .friendLimit),
        Case("999 and crossing", pair(.requested(by: them)), .request, mine: 999, theirs: 999, becomes: .friends),
        Case("1 000 and crossing", pair(.requested(by: them)), .request, mine: 1_000, throws: .friendLimit),
        Case("they have 1 000 and crossing", pair(.requested(by: them)), .request, theirs: 1_000, throws: .friendLimit),
        // At most 200 open requests; an acceptance does not count as one.
        Case("199 open requests", pair(), .request, outgoing: 199, becomes: .requested(by: me)),
        Case("200 open requests", pair(), .request, outgoing: 200, throws: .friendLimit),
        Case("201 open requests", pair(), .request, outgoing: 201, throws: .friendLimit),
        Case("200 open requests and crossing", pair(.requested(by: them)), .request, outgoing: 200, becomes: .friends),
        // A new request 24 h after a rejection.
        Case("1 ms before 24 h", rejected(.hours(24) - .milliseconds(1)), .request, throws: .friendAlreadyRequested),
        Case("24 h", rejected(.hours(24)), .request, becomes: .requested(by: me)),
        Case("1 ms after 24 h", rejected(.hours(24) + .milliseconds(1)), .request, becomes: .requested(by: me)),
        Case(
            "taken back, 1 ms before 24 h",
            rejected(day - .milliseconds(1), isShown: false),
            .request,
            becomes: .none
        ),
        Case("taken back, 24 h", rejected(day, isShown: false), .request, becomes: .requested(by: me)),
        // A rejected request that still seems pending counts like any other; the request itself is excluded.
        Case(
            "taken back, with 200 open",
            rejected(.zero, isShown: false),
            .request,
            outgoing: 200,
            throws: .friendLimit
        ),
        Case("24 h, one of 200", rejected(day), .request, outgoing: 200, becomes: .requested(by: me)),
        Case("24 h, one of 201", rejected(day), .request, outgoing: 201, throws: .friendLimit),
        Case(
            "the one who rejected may ask at once",
            rejected(.zero, requester: them),
            .request,
            becomes: .requested(by: me)
        ),
    ]

    static let answers: [Case] = [
        Case("accept", pair(.requested(by: them)), .accept, becomes: .friends),
        Case("accept my own", pair(.requested(by: me)), .accept, throws: .friendNoRequest),
        Case("accept nothing", pair(), .accept, throws: .friendNoRequest),
        Case("accept a friend", pair(.friends), .accept, throws: .friendAlready),
        Case("accept with 999", pair(.requested(by: them)), .accept, mine: 999, becomes: .friends),
        Case("accept with 1 000", pair(.requested(by: them)), .accept, mine: 1_000, throws: .friendLimit),
        Case("accept who has 999", pair(.requested(by: them)), .accept, theirs: 999, becomes: .friends),
        Case("accept who has 1 000", pair(.requested(by: them)), .accept, theirs: 1_000, throws: .friendLimit),
        Case("reject", pair(.requested(by: them)), .reject, becomes: .none),
        Case("reject my own", pair(.requested(by: me)), .reject, throws: .friendNoRequest),
        Case("reject nothing", pair(), .reject, throws: .friendNoRequest),
        Case("reject a friend", pair(.friends), .reject, throws: .friendAlready),
        Case("cancel", pair(.requested(by: me)), .cancel, becomes: .none),
        Case("cancel theirs", pair(.requested(by: them)), .cancel, throws: .friendNoRequest),
        Case("cancel nothing", pair(), .cancel, throws: .friendNoRequest),
        Case("cancel what was rejected", rejected(.hours(1)), .cancel, becomes: .none),
        Case("cancel it again", rejected(.hours(1), isShown: false), .cancel, throws: .friendNoRequest),
        Case("cancel what I rejected", rejected(.hours(1), requester: them), .cancel, throws: .friendNoRequest),
        Case("accept my own that was rejected", rejected(.hours(1)), .accept, throws: .friendNoRequest),
        Case("reject what I rejected", rejected(.hours(1), requester: them), .reject, throws: .friendNoRequest),
        Case("cancel with a friend", pair(.friends), .cancel, throws: .friendAlready),
        Case("remove", pair(.friends), .remove, becomes: .none),
        Case("remove a stranger", pair(), .remove, throws: .userNotFound),
        Case("remove who asked", pair(.requested(by: them)), .remove, throws: .userNotFound),
    ]

    @Test(.proves("3.3", "3.4", "3.6", "friend.limit"), arguments: requests + answers)
    func `each action leads to its state or refusal, and a refusal changes nothing`(_ row: Case) {
        var friendship = row.from
        let outcome: Result<Friendship.State, Refusal>
        do throws(Refusal) {
            switch row.act {
            case .request: try friendship.request(by: Self.me, counts: row.counts, at: Self.now)
            case .accept: try friendship.accept(by: Self.me, counts: row.counts, at: Self.now)
            case .reject: try friendship.reject(by: Self.me, at: Self.now)
            case .cancel: try friendship.cancelRequest(by: Self.me, at: Self.now)
            case .remove: try friendship.remove(at: Self.now)
            }
            outcome = .success(friendship.state)
            // A rejected request keeps its position in its sender's list.
            #expect(friendship.since == (row.act == .reject ? row.from.since : Self.now))
        } catch {
            outcome = .failure(error)
            #expect(friendship == row.from)
        }
        #expect(outcome == row.outcome)
    }

    @Test(.proves("3.4", "rejectFriend")) func `stores a rejection, hidden from the requester, until they are friends`()
        throws
    {
        var friendship = Self.pair(.requested(by: Self.them))
        try friendship.reject(by: Self.me, at: Self.now)
        #expect(friendship.rejection == Friendship.Rejection(requester: Self.them, at: Self.now))
        #expect(throws: Refusal.friendAlreadyRequested) {
            try friendship.request(by: Self.them, counts: Self.few, at: Self.now + .hours(1))
        }
        try friendship.request(by: Self.me, counts: Self.few, at: Self.now + .hours(2))
        try friendship.accept(by: Self.them, counts: Self.few, at: Self.now + .hours(3))
        #expect(friendship.state == .friends)
        #expect(friendship.rejection == nil)
    }

    @Test(.proves("3.4")) func `a rejected requester sees the request as pending`() throws {
        let waiting = Self.pair(.requested(by: Self.them))
        var rejected = waiting
        try rejected.reject(by: Self.me, at: Self.now)
        var pairs = [waiting, rejected]
        func expectAlike(_ state: Friendship.State) {
            #expect(pairs.map { $0.state(seenBy: Self.them) } == [state, state])
            #expect(pairs[0].since == pairs[1].since)
        }
        expectAlike(.requested(by: Self.them))
        #expect(rejected.state(seenBy: Self.me) == .none)
        for index in pairs.indices {
            #expect(throws: Refusal.friendAlreadyRequested) {
                try pairs[index].request(by: Self.them, counts: Self.few, at: Self.now)
            }
            try pairs[index].cancelRequest(by: Self.them, at: Self.now + .hours(1))
        }
        expectAlike(.none)
        for index in pairs.indices {
            #expect(throws: Refusal.friendNoRequest) { try pairs[index].cancelRequest(by: Self.them, at: Self.now) }
            try pairs[index].request(by: Self.them, counts: Self.few, at: Self.now + .hours(2))
        }
        expectAlike(.requested(by: Self.them))
        // Only one of them sends a request.
        #expect(pairs.map(\.state) == [.requested(by: Self.them), .none])
    }

    @Test(.proves("3.4")) func `a withdrawn request can be repeated at once`() throws {
        var friendship = Self.pair(.requested(by: Self.me))
        try friendship.cancelRequest(by: Self.me, at: Self.now)
        try friendship.request(by: Self.me, counts: Self.few, at: Self.now)
        #expect(friendship.state == .requested(by: Self.me))
    }

    @Test(.proves("3.1")) func `both orders of two users name the same pair`() {
        let one = Friendship(between: Self.me, and: Self.them, since: Self.now)
        #expect(one == Friendship(between: Self.them, and: Self.me, since: Self.now))
        #expect(one.first == Self.me)
        #expect(one.other(than: Self.me) == Self.them)
        #expect(one.other(than: Self.them) == Self.me)
    }

    @Test(.proves("3.1")) func `rejects a pair of one user`() async {
        await #expect(processExitsWith: .failure) {
            _ = Friendship(between: .user(1), and: .user(1), since: .meeting)
        }
    }
}
