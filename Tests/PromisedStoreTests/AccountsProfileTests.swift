import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Changes of an account, the search for users, and the profiles that a user may see.
@Suite(.timeLimit(.minutes(1))) struct AccountsProfileTests {
    @Test func `changes only the given fields`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let before = try #require(try await store.accounts.account(.user(1)))
            #expect(try await store.accounts.changeAccount(.user(1), AccountChanges()) == .changed(before))
            var expected = before
            expected.avatar = "cat"
            #expect(
                try await store.accounts.changeAccount(.user(1), AccountChanges(avatar: "cat")) == .changed(expected)
            )
            expected.locale = "en"
            expected.timeZone = "UTC"
            let places = AccountChanges(locale: "en", timeZone: "UTC")
            #expect(try await store.accounts.changeAccount(.user(1), places) == .changed(expected))
            expected.avatar = ""
            expected.nickname = "Ada"
            let name = AccountChanges(nickname: .sample("Ada"), avatar: "")
            #expect(try await store.accounts.changeAccount(.user(1), name) == .changed(expected))
            #expect(try await store.accounts.account(.user(1)) == expected)
            #expect(try await store.accounts.user(nicknameKey: "ada")?.id == .user(1))
            #expect(try await store.accounts.user(nicknameKey: "user_1") == nil)
        }
    }

    @Test func `rejects another user's nickname, accepts a variant of the user's own and frees a former one`()
        async throws
    {
        try await withStore(users: 1...2) { store async throws in
            let taken = AccountChanges(nickname: .sample("USER_2"), avatar: "cat")
            #expect(try await store.accounts.changeAccount(.user(1), taken) == .nicknameTaken)
            #expect(try await store.accounts.account(.user(1))?.avatar == "")
            let own = try await store.accounts.changeAccount(.user(1), AccountChanges(nickname: .sample("USER_1")))
            guard case .changed(let account) = own else { throw Unexpected() }
            #expect(account.nickname == "USER_1")
            _ = try await store.accounts.changeAccount(.user(2), AccountChanges(nickname: .sample("Bea")))
            let former = try await store.accounts.changeAccount(.user(1), AccountChanges(nickname: .sample("User_2")))
            guard case .changed = former else { throw Unexpected() }
        }
    }

    @Test func `does not change an account that is deleted or being deleted`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.bury(.user(1))
            _ = try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            for user in [.user(1), .user(2), .user(3)] as [UserID] {
                #expect(try await store.accounts.changeAccount(user, AccountChanges(avatar: "cat")) == .gone)
            }
        }
    }

    @Test func `finds users by nickname, except blocking and deleted ones`() async throws {
        try await withStore(users: 1...4) { store async throws in
            for viewer in [.user(1), .user(2), .user(9)] as [UserID] {
                #expect(try await store.accounts.findUser(nicknameKey: "user_1", seenBy: viewer)?.id == .user(1))
            }
            #expect(try await store.accounts.findUser(nicknameKey: "User_1", seenBy: .user(2)) == nil)
            _ = try await store.friendships.block(.user(2), by: .user(1), at: .meeting)
            _ = try await store.friendships.block(.user(2), by: .user(3), at: .meeting)
            // The pair is stored under the smaller id: here once the blocking user, once the blocked one.
            #expect(try await store.accounts.findUser(nicknameKey: "user_1", seenBy: .user(2)) == nil)
            #expect(try await store.accounts.findUser(nicknameKey: "user_3", seenBy: .user(2)) == nil)
            #expect(try await store.accounts.findUser(nicknameKey: "user_2", seenBy: .user(1))?.id == .user(2))
            #expect(try await store.accounts.findUser(nicknameKey: "user_2", seenBy: .user(3))?.id == .user(2))
            _ = try await store.deletions.beginDeletion(of: .user(4), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.accounts.findUser(nicknameKey: "user_4", seenBy: .user(1)) == nil)
            #expect(try await store.accounts.user(nicknameKey: "user_4") == nil)
        }
    }

    @Test(.proves("3.9")) func `shows a profile to its user and friends, not to strangers`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            for (viewer, user) in [(1, 1), (1, 2), (2, 1)] as [(UInt64, UInt64)] {
                #expect(try await store.sees(viewer, user))
            }
            for (viewer, user) in [(1, 3), (3, 1), (1, 9)] as [(UInt64, UInt64)] {
                #expect(try await !store.sees(viewer, user))
            }
            _ = try await store.friendships.block(.user(2), by: .user(1), at: .meeting)
            #expect(try await !store.sees(2, 1))
            #expect(try await !store.sees(1, 2))
        }
    }

    /// The memberships in one promise that let user 1 see user 2.
    static let fellows: [(mine: Participant.Membership, theirs: Participant.Membership, isSeen: Bool)] = [
        (.accepted, .accepted, true), (.accepted, .left, true), (.accepted, .removed, true),
        (.accepted, .invited, false), (.accepted, .declined, false),
        (.invited, .accepted, false), (.declined, .accepted, false), (.left, .accepted, false),
        (.removed, .accepted, false),
    ]

    @Test(arguments: fellows)
    func `accepted participants see current and former participants`(
        mine: Participant.Membership,
        theirs: Participant.Membership,
        isSeen: Bool
    ) async throws {
        try await withStore(users: 1...3) { store async throws in
            let others = [(UserID.user(1), mine), (.user(2), theirs)].map { user, membership in
                Participant(
                    userID: user,
                    membership: membership,
                    invitedAt: .meeting - .hours(2),
                    acceptedAt: membership == .invited || membership == .declined ? nil : .meeting - .hours(2),
                    endedAt: membership == .invited || membership == .accepted ? nil : .meeting - .hours(1)
                )
            }
            try await store.open(.sample(owner: .user(3)), with: others)
            #expect(try await store.sees(1, 2) == isSeen)
            _ = try await store.friendships.block(.user(1), by: .user(2), at: .meeting)
            #expect(try await !store.sees(1, 2))
        }
    }

    @Test(.proves("3.9"), arguments: [false, true])
    func `a user removed before answering and the participants do not see each other`(wasAsked: Bool) async throws {
        try await withStore(users: 1...3) { store async throws in
            let asked = Participant(
                userID: .user(2),
                membership: .removed,
                invitedAt: .meeting - .hours(2),
                acceptedAt: wasAsked ? nil : .meeting - .hours(2),
                endedAt: .meeting - .hours(1)
            )
            try await store.open(.sample(owner: .user(3)), with: [.accepted(.user(1)), asked])
            #expect(try await store.sees(1, 2) == !wasAsked)
            #expect(try await !store.sees(2, 1))
        }
    }

    @Test func `two strangers in different promises of one owner do not see each other`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.open(.sample(number: 1, owner: .user(3)), with: [.accepted(.user(1))])
            try await store.open(.sample(number: 2, owner: .user(3)), with: [.accepted(.user(2))])
            #expect(try await !store.sees(1, 2))
            #expect(try await store.sees(1, 3))
            #expect(try await store.sees(2, 3))
        }
    }

    @Test func `shows a deleted participant as deleted`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.open(.sample(owner: .user(1)), with: [.accepted(.user(2))])
            try await store.bury(.user(2))
            let card = UserCard(id: .user(2), nickname: "deleted user", isDeleted: true)
            #expect(try await store.accounts.profile(of: .user(2), seenBy: .user(1)) == card)
        }
    }

    @Test(arguments: [ProfileQuery.find, ProfileQuery.profile, ProfileQuery.results, DeletionQuery.openParts])
    func `queries about people scan no table`(sql: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            let few = ["SCAN CONSTANT ROW", "SCAN erasing"]
            #expect(!plan.contains { $0.hasPrefix("SCAN") && !few.contains($0) }, "\(plan)")
        }
    }
}

/// Ends a test after an unexpected result.
struct Unexpected: Error {}

extension ChosenNickname {
    /// A nickname of Latin letters.
    static func sample(_ text: String) -> ChosenNickname { ChosenNickname(text: text, key: text.lowercased()) }
}

extension Store {
    func befriend(_ one: UInt64, _ other: UInt64) async throws {
        let outcome = try await friendships.changeFriendship(between: .user(one), and: .user(other), at: .meeting) {
            pair,
            _ in
            pair.state = .friends
        }
        _ = try outcome.get()
    }

    /// `true` if one user sees the profile of another.
    fileprivate func sees(_ viewer: UInt64, _ user: UInt64) async throws -> Bool {
        try await accounts.profile(of: .user(user), seenBy: .user(viewer)) != nil
    }
}
