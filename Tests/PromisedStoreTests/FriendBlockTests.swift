import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FriendBlockTests {
    @Test func `a block ends the friendship and reports if there was one`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            let first = try await store.friendships.block(.user(1), by: .user(2), at: .meeting).get()
            #expect(first.endedFriendship && first.isNew)
            #expect(first.friendship.state == .none && first.friendship.blockedBy == [.user(2)])
            #expect(try await store.friendships.friends(of: .user(1), among: [.user(2)]) == [])
            let again = try await store.friendships.block(.user(1), by: .user(2), at: .meeting).get()
            #expect(!again.endedFriendship && !again.isNew)
            // The blocked user can block as well, and cannot detect the block.
            let back = try await store.friendships.block(.user(2), by: .user(1), at: .meeting).get()
            #expect(!back.endedFriendship && back.isNew)
            let stranger = try await store.friendships.block(.user(3), by: .user(1), at: .meeting).get()
            #expect(!stranger.endedFriendship && stranger.isNew)
        }
    }

    @Test func `a block deletes an open request from either side`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for (requester, blocker) in [(1, 2), (2, 1), (1, 1), (2, 2)] as [(UInt64, UInt64)] {
                let other = 3 - blocker
                _ = try await store.friendships.changeFriendship(between: .user(1), and: .user(2), at: .meeting) {
                    pair,
                    _ in
                    pair = Friendship(between: .user(1), and: .user(2), since: .meeting)
                    pair.state = .requested(by: .user(requester))
                }
                _ = try await store.friendships.block(.user(other), by: .user(blocker), at: .meeting)
                for user in [.user(1), .user(2)] as [UserID] {
                    #expect(try await store.friendships.friendRequests(of: user) == .none)
                }
                _ = try await store.friendships.changeFriendship(between: .user(1), and: .user(2), at: .meeting) {
                    pair,
                    _ in
                    pair.unblock(by: .user(blocker))
                }
                // The row is deleted.
                #expect(try await store.count("friendship") == 0)
            }
        }
    }

    @Test func `rejects blocks of the user, unknown users and deleted ones`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.bury(.user(2))
            _ = try await store.deletions.beginDeletion(of: .user(3), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.friendships.block(.user(1), by: .user(1), at: .meeting) == .failure(.friendSelf))
            for other in [.user(2), .user(3), .user(9)] as [UserID] {
                #expect(try await store.friendships.block(other, by: .user(1), at: .meeting) == .failure(.userNotFound))
            }
        }
    }

    @Test func `lists blocks among users as pairs in either direction`() async throws {
        try await withStore(users: 1...6) { store async throws in
            try await store.befriend(1, 3)
            for (blocker, other) in [(1, 2), (4, 3), (5, 6), (6, 5), (2, 6)] as [(UInt64, UInt64)] {
                _ = try await store.friendships.block(.user(other), by: .user(blocker), at: .meeting)
            }
            let all = (1...6).map { UserID.user($0) }
            #expect(
                try await store.friendships.blocks(among: all) == [
                    UserPair(.user(1), .user(2)), UserPair(.user(3), .user(4)), UserPair(.user(5), .user(6)),
                    UserPair(.user(2), .user(6)),
                ]
            )
            #expect(try await store.friendships.blocks(among: [.user(1), .user(3), .user(5)]) == [])
            #expect(
                try await store.friendships.blocks(among: [.user(4), .user(3), .user(3)]) == [
                    UserPair(.user(3), .user(4))
                ]
            )
            #expect(try await store.friendships.blocks(among: []) == [])
        }
    }

    @Test func `queries only blocks for blocks`() async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: BlockQuery.blocked)
            #expect(plan.contains { $0.contains("friendship_with_block (first=?)") }, "\(plan)")
        }
    }
}
