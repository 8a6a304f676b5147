import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Users whom an outside issuer names.
@Suite(.timeLimit(.minutes(1))) struct AccountsExternalTests {
    static func account(
        _ number: UInt64 = 1,
        subject: String = "sub-1",
        issuedAt: Instant? = .meeting,
        nicknames: [String] = ["Ada", "user_abcdefgh"]
    ) -> NewExternalAccount {
        NewExternalAccount(
            id: .user(number),
            subject: subject,
            subjectKey: key(subject),
            issuedAt: issuedAt,
            nicknames: nicknames.map { .sample($0) },
            locale: "en",
            timeZone: "UTC",
            createdAt: .meeting
        )
    }

    @Sendable static func key(_ subject: String) -> [UInt8] { Array("key of \(subject)".utf8) }

    @Test func `the first sign-in creates a user without address and password`() async throws {
        try await withStore { store async throws in
            #expect(try await store.accounts.externalAccount(subject: "sub-1") == nil)
            let made = ExternalAccount(userID: .user(1), isUsable: true)
            #expect(try await store.accounts.createExternalUser(Self.account()) == .found(made))
            #expect(try await store.accounts.externalAccount(subject: "sub-1") == made)
            // Bytes are compared, not letters.
            #expect(try await store.accounts.externalAccount(subject: "SUB-1") == nil)
            let account = try #require(try await store.accounts.account(.user(1)))
            #expect(account.email == nil && account.nickname == "Ada" && account.locale == "en")
            #expect(try await store.accounts.credential(of: .user(1)) == nil)
            // The second sign-in finds it, whatever nickname it requests.
            let again = Self.account(2, nicknames: ["Bea"])
            #expect(try await store.accounts.createExternalUser(again) == .found(made))
        }
    }

    @Test(.proves("2.12")) func `uses the first free nickname, and without one creates no account`() async throws {
        try await withStore(users: 5...5) { store async throws in
            let second = Self.account(nicknames: ["USER_5", "Bea"])
            #expect(
                try await store.accounts.createExternalUser(second)
                    == .found(ExternalAccount(userID: .user(1), isUsable: true))
            )
            #expect(try await store.accounts.account(.user(1))?.nickname == "Bea")
            let none = Self.account(2, subject: "sub-2", nicknames: ["bea", "user_5"])
            #expect(try await store.accounts.createExternalUser(none) == .nicknamesTaken)
            #expect(try await store.accounts.externalAccount(subject: "sub-2") == nil)
        }
    }

    @Test func `concurrent first sign-ins create one user`() async throws {
        try await withStore { store async throws in
            let outcomes = try await withThrowingTaskGroup { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask {
                        try await store.accounts.createExternalUser(Self.account(number, nicknames: ["N\(number)"]))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(outcomes).count == 1)
            #expect(try await store.count("user") == 1)
        }
    }

    @Test func `rejects disabled accounts and those being deleted`() async throws {
        try await withStore { store async throws in
            _ = try await store.accounts.createExternalUser(Self.account())
            _ = try await store.accounts.disable(.user(1), at: .meeting)
            #expect(try await store.accounts.externalAccount(subject: "sub-1")?.isUsable == false)
            _ = try await store.accounts.enable(.user(1))
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: Self.key)
            #expect(try await store.accounts.externalAccount(subject: "sub-1") == nil)
        }
    }

    @Test func `after a deletion only a later token creates a new user`() async throws {
        try await withStore { store async throws in
            _ = try await store.accounts.createExternalUser(Self.account())
            _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: Self.key)
            try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: Self.key)
            #expect(try await store.accounts.externalAccount(subject: "sub-1") == nil)
            #expect(try await store.count("user WHERE external_subject IS NOT NULL") == 0)
            #expect(try await store.accounts.createExternalUser(Self.account(2, issuedAt: nil)) == .deleted)
            #expect(try await store.accounts.createExternalUser(Self.account(2, issuedAt: .meeting)) == .deleted)
            let later = Self.account(2, issuedAt: .meeting + .milliseconds(1))
            #expect(
                try await store.accounts.createExternalUser(later)
                    == .found(ExternalAccount(userID: .user(2), isUsable: true))
            )
            #expect(try await store.count("forgotten_subject") == 0)
        }
    }
}
