import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AdministeredAccountTests {
    @Test func `finds accounts by folded nickname and address`() async throws {
        try await withStore(users: 1...3) { store async throws in
            #expect(
                try await store.administration.accounts(named: "user_2", at: .meeting).map(\.account.id) == [.user(2)]
            )
            #expect(
                try await store.administration.accounts(named: "user2@example.org", at: .meeting).map(\.account.id) == [
                    .user(2)
                ]
            )
            #expect(try await store.administration.accounts(named: "user_", at: .meeting) == [])
            #expect(try await store.administration.administeredAccount(.user(9), at: .meeting) == nil)
            #expect(try await store.administration.names(containing: "er_", limit: 2) == ["User_1", "User_2"])
            #expect(try await store.administration.names(containing: "@", limit: 1) == ["User1@Example.org"])
            #expect(
                try await store.administration.nicknames(beginningWith: "u", limit: 2).map(\.text) == [
                    "User_1", "User_2",
                ]
            )
            #expect(try await store.administration.nicknames(beginningWith: "v", limit: 2) == [])
        }
    }

    @Test func `counts friends and open promises`() async throws {
        try await withStore(users: 1...3) { store async throws in
            _ = try await store.friendships.changeFriendship(between: .user(1), and: .user(2), at: .meeting) {
                friendship,
                _ throws(Refusal) in friendship.state = .friends
            }
            _ = try await store.friendships.changeFriendship(between: .user(3), and: .user(1), at: .meeting) {
                friendship,
                _ throws(Refusal) in friendship.state = .requested(by: .user(3))
            }
            try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
            let now = SessionCommitTests.promise.createdAt
            let first = try #require(try await store.administration.administeredAccount(.user(1), at: now))
            #expect(first.friendCount == 1 && first.promiseCount == 1 && !first.isExternal)
            let second = try #require(try await store.administration.administeredAccount(.user(2), at: now))
            #expect(second.friendCount == 1 && second.promiseCount == 1)
            let later = SessionCommitTests.promise.settlesAt
            #expect(try await store.administration.administeredAccount(.user(2), at: later)?.promiseCount == 0)
        }
    }

    @Test func `lists accounts by folded nickname in pages, without deleted ones`() async throws {
        try await withStore(users: 1...4) { store async throws in
            _ = try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            try await store.deletions.makeTombstone(of: .user(2), at: .meeting) { _ in [] }
            _ = try await store.accounts.disable(.user(3), at: .meeting)
            let first = try await store.administration.accounts(
                containing: nil,
                onlyDisabled: false,
                at: .meeting,
                limit: 2
            )
            #expect(first.items.map(\.account.id) == [.user(1), .user(3)])
            let next = try #require(first.next)
            let second = try await store.administration.accounts(
                containing: nil,
                onlyDisabled: false,
                at: .meeting,
                after: next,
                limit: 2
            )
            #expect(second.items.map(\.account.id) == [.user(4)] && second.next == nil)
            let disabled = try await store.administration.accounts(
                containing: "user",
                onlyDisabled: true,
                at: .meeting,
                limit: 9
            )
            #expect(disabled.items.map(\.account.id) == [.user(3)])
            #expect(try await store.administration.counts(at: .meeting).users == 3)
        }
    }

    @Test func `a new password ends the sessions, also without a previous one`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let session = AuthSession(id: SignInID(high: 1, low: 2), userID: .user(1), createdAt: .meeting)
            let end = Instant.meeting + .days(30)
            _ = try await store.accounts.createAuthSession(
                session,
                refreshHash: RefreshHash([1]),
                refreshExpiresAt: end,
                limit: 50
            )
            #expect(
                try await store.administration.openSignIns(of: .user(1), at: .meeting)
                    == [OpenSignIn(id: session.id, createdAt: .meeting, expiresAt: end)]
            )
            #expect(try await store.administration.openSignIns(of: .user(1), at: end) == [])
            let ended = try await store.administration.resetPassword(
                of: .user(1),
                to: "new",
                at: .meeting,
                audit: .sample("x")
            )
            #expect(ended == [session.id])
            #expect(try await store.administration.openSignIns(of: .user(1), at: .meeting) == [])
            #expect(try await store.accounts.credential(of: .user(1))?.passwordHash == "new")
        }
    }

    @Test func `validates a sign-up without performing it`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let x = ChosenNickname(text: "x", key: "x")
            let taken = ChosenNickname(text: "User_1", key: "user_1")
            #expect(
                try await store.administration.signUpOutcome(emailKey: "user1@example.org", nickname: x) == .emailTaken
            )
            #expect(
                try await store.administration.signUpOutcome(emailKey: "x@example.org", nickname: taken)
                    == .nicknameTaken
            )
            #expect(try await store.administration.signUpOutcome(emailKey: "x@example.org", nickname: x) == .created)
            #expect(try await store.administration.counts(at: .meeting).users == 1)
        }
    }
}
