import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct KnownCallerStoreTests {
    private static let now = Instant.meeting

    private static func digest(_ number: UInt8, _ kind: CallerDigest.Kind = .address) -> CallerDigest {
        CallerDigest(kind, [UInt8](repeating: number, count: 32))
    }

    @Test(.proves("2.19"))
    func `an account recognizes its caller until the record is deleted`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let home = Self.digest(1)
            #expect(try await store.known([home], to: 1).isEmpty)
            try await store.signIn([home], of: 1, at: Self.now)
            #expect(try await store.known([home, Self.digest(2)], to: 1) == [home])
            #expect(try await store.known([home], to: 2).isEmpty)
            // An unknown account has no callers.
            #expect(try await store.known([home], to: 3).isEmpty)
            // The last instant at which it is known, and the first at which it is not.
            #expect(try await store.known([home], to: 1, since: Self.now) == [home])
            #expect(try await store.known([home], to: 1, since: Self.now + .milliseconds(1)).isEmpty)
        }
    }

    @Test func `distinguishes digests of addresses and devices`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.signIn([Self.digest(1, .address), Self.digest(2, .device)], of: 1, at: Self.now)
            #expect(try await store.known([Self.digest(1, .device), Self.digest(2, .address)], to: 1).isEmpty)
            let known = [Self.digest(1, .address), Self.digest(2, .device)]
            #expect(try await store.known(known, to: 1) == known)
        }
    }

    @Test(.proves("2.19")) func `an account recognizes the last sixteen callers of each kind`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.signIn([Self.digest(100, .device)], of: 1, at: Self.now)
            try await store.signIn([Self.digest(1)], of: 2, at: Self.now)
            for number in 1...16 as ClosedRange<UInt8> {
                try await store.signIn([Self.digest(number)], of: 1, at: Self.now + .seconds(Double(number)))
            }
            let all = (1...17).map { Self.digest($0) }
            #expect(try await store.known(all, to: 1) == Array(all[..<16]))
            // The first one signs in again, so that a new one replaces the second.
            try await store.signIn([all[0]], of: 1, at: Self.now + .seconds(20))
            try await store.signIn([all[16]], of: 1, at: Self.now + .seconds(21))
            #expect(try await store.known(all, to: 1) == [all[0]] + all[2...])
            // Devices and other accounts have separate limits.
            #expect(try await store.known([Self.digest(100, .device)], to: 1).count == 1)
            #expect(try await store.known(all, to: 2) == [all[0]])
        }
    }

    @Test func `deletes callers last seen long ago`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.signIn([Self.digest(1)], of: 1, at: Self.now)
            try await store.signIn([Self.digest(2)], of: 1, at: Self.now + .seconds(1))
            try await store.accounts.deleteKnownCallers(seenBefore: Self.now + .seconds(1))
            #expect(try await store.count("known_caller") == 1)
            #expect(try await store.known([Self.digest(2)], to: 1).count == 1)
        }
    }

    @Test(.proves("2.19")) func `forgets the callers of an account in the first part of its deletion`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.signIn([Self.digest(1), Self.digest(2, .device)], of: 1, at: Self.now)
            _ = try await store.deletions.beginDeletion(of: .user(1), at: Self.now) { _ in [] }
            #expect(try await store.count("known_caller") == 0)
        }
    }

    @Test func `a rejected sign-in stores no caller`() async throws {
        try await withStore(users: 1...1) { store async throws in
            #expect(try await store.accounts.disable(.user(1), at: Self.now))
            try await store.signIn([Self.digest(1)], of: 1, at: Self.now)
            #expect(try await store.count("known_caller") == 0)
        }
    }
}

extension Store {
    /// A sign-in of a caller with these digests.
    fileprivate func signIn(_ digests: [CallerDigest], of user: UInt64, at now: Instant) async throws {
        let number = UInt64(now.milliseconds) ^ user << 60
        _ = try await accounts.createAuthSession(
            AuthSession(id: SignInID(high: 1, low: number), userID: .user(user), createdAt: now),
            refreshHash: RefreshHash((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }),
            refreshExpiresAt: now + .days(1),
            limit: 100,
            callers: SeenCallers(digests, limit: 16)
        )
    }

    fileprivate func known(
        _ digests: [CallerDigest],
        to user: UInt64,
        since instant: Instant = .meeting - .days(180)
    ) async throws -> [CallerDigest] {
        try await accounts.knownCallers(among: digests, emailKey: "user\(user)@example.org", since: instant)
    }
}
