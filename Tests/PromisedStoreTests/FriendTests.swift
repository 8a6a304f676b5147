import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FriendTests {
    static let now = Instant.meeting

    @Test(.proves("3.4", "acceptFriend")) func `a request and its acceptance make a friendship`() async throws {
        try await withStore(users: 1...3) { store async throws in
            #expect(try await store.request(1, 2).get().state == .requested(by: .user(1)))
            #expect(
                try await store.friendships.friendRequests(of: .user(2)).incoming.items.map(\.user.id) == [.user(1)]
            )
            #expect(
                try await store.friendships.friendRequests(of: .user(1)).outgoing.items.map(\.user.nickname) == [
                    "User_2"
                ]
            )
            #expect(try await store.friendships.friends(of: .user(1), among: [.user(2)]) == [])
            #expect(try await store.accept(2, 1).get().state == .friends)
            #expect(
                try await store.friendships.friends(of: .user(1), among: [.user(1), .user(2), .user(3)]) == [.user(2)]
            )
            #expect(try await store.friendships.friends(of: .user(2), among: [.user(1)]) == [.user(1)])
            #expect(try await store.friendships.friendRequests(of: .user(2)) == .none)
        }
    }

    @Test(.proves("3.3")) func `crossing requests make a friendship, for either order of the ids`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.request(2, 1)
            #expect(try await store.request(1, 2).get().state == .friends)
        }
    }

    @Test(.proves("3.4"))
    func `the second of two simultaneous requests depends on the first`() async throws {
        try await withStore(users: 1...40) { store async throws in
            try await withThrowingTaskGroup { group in
                for one in stride(from: UInt64(1), through: 39, by: 2) {
                    group.addTask { _ = try await store.request(one, one + 1).get() }
                    group.addTask { _ = try await store.request(one + 1, one).get() }
                }
                try await group.waitForAll()
            }
            for one in stride(from: UInt64(1), through: 39, by: 2) {
                #expect(
                    try await store.friendships.friends(of: .user(one), among: [.user(one + 1)]) == [.user(one + 1)]
                )
            }
        }
    }

    @Test(.proves("3.4")) func `returns a typed refusal and writes nothing`() async throws {
        try await withStore(users: 1...3) { store async throws in
            _ = try await store.request(1, 2)
            #expect(try await store.request(1, 2) == .failure(.friendAlreadyRequested))
            #expect(try await store.accept(1, 2) == .failure(.friendNoRequest))
            #expect(try await store.request(1, 1) == .failure(.friendSelf))
            #expect(try await store.request(1, 9) == .failure(.userNotFound))
            try await store.bury(.user(3))
            #expect(try await store.request(1, 3) == .failure(.userNotFound))
            #expect(
                try await store.friendships.friendship(between: .user(2), and: .user(1), at: FriendTests.now).state
                    == .requested(by: .user(1))
            )
        }
    }

    @Test(.proves("3.1")) func `stores every field of a pair from either side`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.request(2, 1)
            _ = try await store.change(1, 2) { pair, _ throws(Refusal) in
                try pair.reject(by: .user(1), at: FriendTests.now)
                pair.blockedBy = [.user(2)]
            }
            var expected = Friendship(between: .user(1), and: .user(2), since: FriendTests.now)
            expected.rejection = Friendship.Rejection(requester: .user(2), at: FriendTests.now)
            expected.blockedBy = [.user(2)]
            let later = FriendTests.now + .hours(1)
            #expect(try await store.friendships.friendship(between: .user(1), and: .user(2), at: later) == expected)
            #expect(try await store.friendships.friendship(between: .user(2), and: .user(1), at: later) == expected)
        }
    }

    @Test(.proves("3.1")) func `an empty pair has no row`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.request(1, 2)
            _ = try await store.change(1, 2) { pair, _ throws(Refusal) in
                try pair.cancelRequest(by: .user(1), at: FriendTests.now)
            }
            #expect(try await store.read { db in try db.rows("SELECT * FROM friendship").count } == 0)
            #expect(
                try await store.friendships.friendship(between: .user(1), and: .user(2), at: .meeting).state == .none
            )
        }
    }

    @Test(.proves("3.6")) func `passes the numbers of friends and requests to the rule`() async throws {
        try await withStore(users: 1...7) { store async throws in
            for other in [1, 3, 4] as [UInt64] {
                _ = try await store.request(2, other)
                _ = try await store.accept(other, 2)
            }
            for other in [5, 6] as [UInt64] { _ = try await store.request(2, other) }
            _ = try await store.request(7, 2)
            _ = try await store.request(1, 5)
            let outcome = try await store.change(2, 1) { _, counts throws(Refusal) in
                let expected = Friendship.Counts(mine: 3, theirs: 1, outgoing: 2)
                if counts != expected { throw .forbidden }
            }
            #expect(throws: Never.self) { try outcome.get() }
        }
    }

    @Test(.proves("listFriends"), arguments: [1, 2, 3, 7, 50])
    func `pages contain each friend once, by nickname`(limit: Int) async throws {
        try await withStore(users: 1...9) { store async throws in
            for other in [1, 2, 4, 5, 6, 7, 8] as [UInt64] {
                _ = try await store.request(3, other)
                _ = try await store.accept(other, 3)
            }
            var names: [String] = []
            var cursor: FriendCursor?
            repeat {
                let page = try await store.friendships.friends(of: .user(3), after: cursor, limit: limit)
                #expect(page.items.count <= limit)
                names += page.items.map(\.card.nickname)
                cursor = try page.next.map { try #require(FriendCursor($0.description)) }
            } while cursor != nil
            #expect(names == [1, 2, 4, 5, 6, 7, 8].map { "User_\($0)" })
        }
    }

    @Test func `counts only other users' requests as unread`() async throws {
        try await withStore(users: 1...4) { store async throws in
            _ = try await store.request(1, 2)
            _ = try await store.request(3, 2)
            _ = try await store.request(2, 4)
            #expect(
                try await store.promises.unread(of: .user(2), at: .meeting) == Unread(friendRequests: 2, invitations: 0)
            )
        }
    }

    @Test(arguments: [1, 2, 3, 5, 50])
    func `pages contain each request once, in both directions, rejected ones included`(
        limit: Int
    ) async throws {
        try await withStore(users: 1...9) { store async throws in
            // Two at the same instant; 8 rejects.
            for (number, seconds) in [(1, 4.0), (3, 2), (4, 3)] as [(UInt64, Double)] {
                _ = try await store.request(number, 2, at: FriendTests.now + .seconds(seconds))
            }
            for (number, seconds) in [(5, 1.0), (6, 3), (7, 3), (8, 2)] as [(UInt64, Double)] {
                _ = try await store.request(2, number, at: FriendTests.now + .seconds(seconds))
            }
            _ = try await store.change(8, 2) { pair, _ throws(Refusal) in
                try pair.reject(by: .user(8), at: FriendTests.now + .hours(1))
            }
            var (incoming, outgoing): ([UserID], [UserID]) = ([], [])
            var cursor: FriendRequestCursor? = FriendRequestCursor(incoming: nil, outgoing: nil)
            while let place = cursor {
                let page = try await store.friendships.friendRequests(of: .user(2), after: place, limit: limit)
                #expect(page.incoming.items.count <= limit && page.outgoing.items.count <= limit)
                incoming += page.incoming.items.map(\.user.id)
                outgoing += page.outgoing.items.map(\.user.id)
                let next = FriendRequestCursor(
                    incoming: page.incoming.items.last?.place ?? place.incoming,
                    outgoing: page.outgoing.items.last?.place ?? place.outgoing
                )
                #expect(FriendRequestCursor(next.description) == next)
                cursor = page.incoming.next == nil && page.outgoing.next == nil ? nil : next
            }
            #expect(incoming == [1, 4, 3].map { .user($0) })
            #expect(outgoing == [6, 7, 8, 5].map { .user($0) })
            #expect(try await store.friendships.friendRequests(of: .user(8)) == .none)
        }
    }

    @Test(.proves("3.4"))
    func `counts a rejected request only for its sender`() async throws {
        try await withStore(users: 1...4) { store async throws in
            for other in [1, 3] as [UInt64] { _ = try await store.request(2, other) }
            _ = try await store.change(3, 2) { pair, _ throws(Refusal) in
                try pair.reject(by: .user(3), at: FriendTests.now)
            }
            for (user, count) in [(2, 2), (3, 0)] as [(UInt64, Int)] {
                let outcome = try await store.change(user, 4) { _, counts throws(Refusal) in
                    if counts.outgoing != count { throw .forbidden }
                }
                #expect(throws: Never.self) { try outcome.get() }
            }
            #expect(try await store.promises.unread(of: .user(3), at: .meeting).friendRequests == 0)
        }
    }

    @Test(arguments: ["", "r", "cg", FriendCursor(nicknameKey: "a", userID: .user(1)).description])
    func `rejects other texts as cursors of requests`(text: String) {
        #expect(FriendRequestCursor(text) == nil)
    }

    @Test(arguments: [FriendRequestQuery.incoming, FriendRequestQuery.outgoing])
    func `queries about requests scan no table`(sql: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            #expect(
                !plan.contains { $0.hasPrefix("SCAN") && !$0.contains("request") && $0 != "SCAN erasing" },
                "\(plan)"
            )
        }
    }

    @Test(.proves("listFriendRequests")) func `sorts requests newest first`() async throws {
        try await withStore(users: 1...4) { store async throws in
            for (seconds, number) in [(3.0, 1), (1.0, 3), (2.0, 4)] as [(Double, UInt64)] {
                _ = try await store.request(number, 2, at: FriendTests.now + .seconds(seconds))
            }
            for (limit, ids) in [(2, [1, 4]), (3, [1, 4, 3]), (4, [1, 4, 3])] as [(Int, [UInt64])] {
                let incoming = try await store.friendships.friendRequests(of: .user(2), limit: limit).incoming
                #expect(incoming.items.map(\.user.id) == ids.map { .user($0) })
                #expect((incoming.next == nil) == (limit >= 3))
            }
        }
    }
}

extension FriendRequestPage {
    /// No requests.
    static let none = FriendRequestPage(incoming: Page(items: [], next: nil), outgoing: Page(items: [], next: nil))
}

extension Store {
    fileprivate func change(
        _ user: UInt64,
        _ other: UInt64,
        _ rule: @escaping @Sendable (inout Friendship, Friendship.Counts) throws(Refusal) -> Void
    ) async throws -> Result<Friendship, Refusal> {
        try await friendships.changeFriendship(between: .user(user), and: .user(other), at: FriendTests.now, rule)
    }

    fileprivate func request(
        _ user: UInt64,
        _ other: UInt64,
        at now: Instant = FriendTests.now
    ) async throws -> Result<Friendship, Refusal> {
        try await change(user, other) { pair, counts throws(Refusal) in
            try pair.request(by: .user(user), counts: counts, at: now)
        }
    }

    fileprivate func accept(_ user: UInt64, _ other: UInt64) async throws -> Result<Friendship, Refusal> {
        try await change(user, other) { pair, counts throws(Refusal) in
            try pair.accept(by: .user(user), counts: counts, at: FriendTests.now)
        }
    }
}
