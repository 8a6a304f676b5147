import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AccountsPasswordTests {
    static let kept = SignInID(high: 1, low: 2)

    private static func change(
        _ store: Store,
        from expected: String = "hash 1",
        keeping session: SignInID = kept
    ) async throws -> PasswordChangeOutcome {
        try await store.accounts.changePassword(
            of: .user(1),
            from: expected,
            to: "new",
            keeping: session,
            refreshHash: RefreshHash([99]),
            refreshExpiresAt: .meeting + .days(1),
            at: .meeting
        )
    }

    @Test func `a new password ends all sessions but one, with a new refresh token`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.openSession(number, of: .user(1)) }
            try await store.openSession(4, of: .user(2))
            let others = [1, 3].map { SignInID(high: 1, low: $0) }
            #expect(try await Self.change(store) == .changed(revoked: others))
            #expect(try await store.accounts.credential(of: .user(1))?.passwordHash == "new")
            let sessions = try await store.accounts.authSessions(of: .user(1))
            #expect(sessions.map(\.revokedAt) == [.meeting, nil, .meeting])
            #expect(try await store.accounts.authSessions(of: .user(2)).map(\.revokedAt) == [nil])
            // The old refresh token of the remaining session is invalid.
            let old = try await store.accounts.rotateRefreshToken(
                RefreshHash([2]),
                to: RefreshHash([50]),
                newExpiry: .meeting + .days(1),
                now: .meeting
            )
            #expect(old == .unknown)
            let new = try await store.accounts.rotateRefreshToken(
                RefreshHash([99]),
                to: RefreshHash([51]),
                newExpiry: .meeting + .days(1),
                now: .meeting
            )
            #expect(new == .rotated(userID: .user(1), sessionID: Self.kept))
        }
    }

    @Test func `a stale password, an ended session and another user's session change nothing`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.openSession(2, of: .user(1))
            try await store.openSession(3, of: .user(2))
            #expect(try await Self.change(store, from: "other") == .superseded)
            let foreign = SignInID(high: 1, low: 3)
            #expect(try await Self.change(store, keeping: foreign) == .sessionEnded)
            _ = try await store.accounts.revoke(Self.kept, at: .meeting)
            #expect(try await Self.change(store) == .sessionEnded)
            #expect(try await store.accounts.credential(of: .user(1))?.passwordHash == "hash 1")
            #expect(try await store.count("refresh_token") == 2)
        }
    }

    @Test(.proves("2.11")) func `of concurrent changes of one password exactly one succeeds`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.openSession(2, of: .user(1))
            let outcomes = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await Self.changeOnce(store) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .changed(revoked: []) }.count == 1)
            #expect(outcomes.filter { $0 == .superseded }.count == 7)
        }
    }

    private static func changeOnce(_ store: Store) async throws -> PasswordChangeOutcome { try await change(store) }
}
