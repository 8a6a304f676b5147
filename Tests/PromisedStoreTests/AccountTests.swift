import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AccountTests {
    @Test func `reads a sign-up back`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let account = try #require(try await store.accounts.account(.user(1)))
            #expect(account.email == "User1@Example.org")
            #expect(account.locale == "ko-KR" && account.timeZone == "Asia/Seoul")
            #expect(account.createdAt == .meeting - .days(1))
            #expect(account.disabledAt == nil && account.deletedAt == nil)
            #expect(account.card == UserCard(id: .user(1), nickname: "User_1"))
            #expect(try await store.accounts.user(nicknameKey: "user_1") == account.card)
            #expect(try await store.accounts.user(nicknameKey: "User_1") == nil)
            #expect(try await store.accounts.account(.user(2)) == nil)
        }
    }

    @Test func `reports a taken address before a taken nickname and writes nothing`() async throws {
        try await withStore(users: 1...1) { store async throws in
            var other = NewAccount.sample(2)
            other.nicknameKey = "user_1"
            #expect(try await store.accounts.createUser(other) == .nicknameTaken)
            other.emailKey = "user1@example.org"
            #expect(try await store.accounts.createUser(other) == .emailTaken)
            #expect(try await store.accounts.account(.user(2)) == nil)
            #expect(try await store.accounts.createUser(.sample(2)) == .created)
        }
    }

    @Test(.proves("2.2")) func `of many concurrent sign-ups with one nickname exactly one succeeds`() async throws {
        try await withStore { store async throws in
            let outcomes = try await withThrowingTaskGroup { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask {
                        var account = NewAccount.sample(number)
                        account.nicknameKey = "same"
                        return try await store.accounts.createUser(account)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .created }.count == 1)
            #expect(outcomes.filter { $0 == .nicknameTaken }.count == 19)
        }
    }

    @Test func `a duplicate id is an error`() async throws {
        try await withStore(users: 1...1) { store async throws in
            var again = NewAccount.sample(2)
            again.id = .user(1)
            await #expect(throws: StoreError.broken("UNIQUE constraint failed: user.id")) {
                _ = try await store.accounts.createUser(again)
            }
        }
    }

    @Test func `finds a credential by address and by user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let expected = Credential(userID: .user(2), passwordHash: "hash 2", isDisabled: false)
            #expect(try await store.accounts.credential(emailKey: "user2@example.org") == expected)
            #expect(try await store.accounts.credential(of: .user(2)) == expected)
            #expect(try await store.accounts.credential(emailKey: "user3@example.org") == nil)
            try await store.write { db in try db.run("UPDATE user SET disabled_at = 1 WHERE nickname_key = 'user_2'") }
            #expect(try await store.accounts.credential(of: .user(2))?.isDisabled == true)
        }
    }

    @Test func `replaces a password's hash only if it is the expected one`() async throws {
        try await withStore(users: 1...1) { store async throws in
            #expect(try await store.accounts.replacePasswordHash(of: .user(1), "hash 1", with: "new", at: .meeting))
            #expect(try await !store.accounts.replacePasswordHash(of: .user(1), "hash 1", with: "newer", at: .meeting))
            #expect(try await store.accounts.credential(of: .user(1))?.passwordHash == "new")
        }
    }

    @Test(.proves("2.14")) func `cards show tombstones as deleted and omit unknown users`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.bury(.user(2))
            let cards = try await store.accounts.cards(of: [.user(1), .user(2), .user(3), .user(1)])
            #expect(
                cards == [
                    .user(1): UserCard(id: .user(1), nickname: "User_1"),
                    .user(2): UserCard(id: .user(2), nickname: "deleted user", isDeleted: true),
                ]
            )
            #expect(try await store.accounts.credential(emailKey: "user2@example.org") == nil)
            #expect(try await store.accounts.createUser(.sample(3)) == .created)
        }
    }
}

extension Store {
    /// Turns a user into a tombstone.
    func bury(_ user: UserID) async throws {
        try await write { db in
            try db.run("DELETE FROM credential WHERE user_id = ?", [user])
            try db.run(
                """
                UPDATE user SET email = NULL, email_key = NULL, nickname = NULL, nickname_key = NULL, avatar = '',
                    locale = '', time_zone = '', deleted_at = 1
                WHERE id = ?
                """,
                [user]
            )
        }
    }
}
