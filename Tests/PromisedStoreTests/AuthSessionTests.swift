import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AuthSessionTests {
    static let now = Instant.meeting
    static let session = AuthSessionID(high: 1, low: 1)

    /// Tokens are shown one after the other; each showing that succeeds is answered with the next letter.
    struct Case: Sendable, CustomTestStringConvertible {
        /// What is shown, and when in seconds after the sign-in that gave `a`.
        var shown: [(token: Character, at: Double)]
        /// What becomes of them: `+` rotated, `!` reused, `?` unknown, `x` expired, `-` revoked.
        var outcomes: String

        init(_ outcomes: String, _ shown: (token: Character, at: Double)...) {
            self.shown = shown
            self.outcomes = outcomes
        }

        var testDescription: String { "\(shown.map { "\($0.token) at \($0.at)" }) → \(outcomes)" }
    }

    static let cases = [
        // The ordinary way.
        Case("+++", ("a", 100), ("b", 200), ("c", 300)),
        Case("?", ("z", 0)),
        // Expiry: 1,000 s after it was given, that instant excluded.
        Case("+", ("a", 999.999)),
        Case("x", ("a", 1_000)),
        Case("+x", ("a", 500), ("b", 1_500)),
        // The one just replaced, while its successor is unused: for 60 s, that instant excluded.
        Case("++", ("a", 100), ("a", 100)),
        Case("++", ("a", 100), ("a", 159.999)),
        Case("+!", ("a", 100), ("a", 160)),
        Case("+!-", ("a", 100), ("a", 160), ("b", 161)),
        // The answer may be lost more than once, but the 60 s go from the first showing.
        Case("+++", ("a", 100), ("a", 130), ("a", 159)),
        Case("++!", ("a", 100), ("a", 150), ("a", 161)),
        // Its successor was used.
        Case("++!-", ("a", 100), ("b", 110), ("a", 120), ("c", 130)),
        Case("+++!", ("a", 100), ("a", 110), ("c", 120), ("a", 130)),
        // Not the one just replaced.
        Case("+++!", ("a", 100), ("b", 101), ("c", 102), ("a", 103)),
        Case("+++!", ("a", 100), ("b", 101), ("c", 102), ("b", 103)),
        // After a retry the first answer may still turn up: it counts as just replaced itself.
        Case("+++", ("a", 100), ("a", 110), ("b", 120)),
        Case("++!", ("a", 100), ("a", 110), ("b", 170)),
        Case("+++!", ("a", 100), ("a", 110), ("c", 115), ("b", 120)),
        Case("++++", ("a", 100), ("a", 110), ("a", 120), ("d", 130)),
        Case("+++++", ("a", 100), ("a", 110), ("a", 120), ("b", 130), ("e", 131)),
        // A replaced token gives the session away even when it has expired.
        Case("+!", ("a", 100), ("a", 1_100)),
    ]

    @Test(arguments: cases) func `a refresh token rotates as the rules say`(_ example: Case) async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            var next: UInt8 = 2
            var outcomes = ""
            for (token, seconds) in example.shown {
                let now = AuthSessionTests.now + .seconds(seconds)
                let outcome = try await store.rotateRefreshToken(
                    hash: [token == "z" ? 99 : UInt8(token.asciiValue ?? 0) - 96],
                    newHash: [next],
                    newExpiry: now + .seconds(1_000),
                    now: now
                )
                if case .rotated = outcome { next += 1 }
                outcomes.append(outcome.letter)
                let isRevoked = try await store.authSession(AuthSessionTests.session)?.revokedAt != nil
                #expect(isRevoked == outcomes.contains("!"))
            }
            #expect(outcomes == example.outcomes)
        }
    }

    @Test func `a session that was ended, or whose user is gone, gives no more tokens`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            #expect(try await store.revoke(AuthSessionTests.session, at: AuthSessionTests.now))
            #expect(try await !store.revoke(AuthSessionTests.session, at: AuthSessionTests.now + .seconds(1)))
            #expect(try await store.authSession(AuthSessionTests.session)?.revokedAt == AuthSessionTests.now)
            #expect(try await store.rotate() == .revoked)
        }
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            try await store.bury(.user(1))
            #expect(try await store.rotate() == .revoked)
        }
    }

    @Test func `ending all sessions spares the named one and those of others`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.beginSession(number) }
            try await store.beginSession(4, of: .user(2))
            let now = AuthSessionTests.now
            let kept = AuthSessionID(high: 1, low: 2)
            let ended = try await store.revokeAll(of: .user(1), except: kept, at: now)
            #expect(ended == [AuthSessionID(high: 1, low: 1), AuthSessionID(high: 1, low: 3)])
            #expect(try await store.revokeAll(of: .user(1), at: now) == [kept])
            #expect(try await store.revokeAll(of: .user(1), at: now) == [])
            #expect(try await store.authSession(AuthSessionID(high: 1, low: 4))?.revokedAt == nil)
        }
    }

    @Test func `tokens that expired long ago are forgotten with their sessions`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            try await store.deleteRefreshTokens(expiredBefore: AuthSessionTests.now + .seconds(1_000))
            #expect(try await store.authSession(AuthSessionTests.session) != nil)
            try await store.deleteRefreshTokens(expiredBefore: AuthSessionTests.now + .seconds(1_001))
            #expect(try await store.authSession(AuthSessionTests.session) == nil)
            #expect(try await store.rotate() == .unknown)
        }
    }

    @Test func `a session of an unknown user is a fault`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.broken("FOREIGN KEY constraint failed")) {
                try await store.beginSession()
            }
            #expect(try await store.authSession(AuthSessionTests.session) == nil)
        }
    }
}

extension Store {
    /// Begins session `number`, whose token has the hash `[number]` and is good for 1,000 s.
    fileprivate func beginSession(_ number: UInt64 = 1, of user: UserID = .user(1)) async throws {
        try await createAuthSession(
            AuthSession(
                id: AuthSessionID(high: 1, low: number),
                userID: user,
                deviceLabel: "phone",
                createdAt: AuthSessionTests.now
            ),
            refreshHash: [UInt8(number)],
            refreshExpiresAt: AuthSessionTests.now + .seconds(1_000)
        )
    }

    /// Shows the token of session 1 a second after it was given.
    fileprivate func rotate() async throws -> RefreshOutcome {
        let now = AuthSessionTests.now + .seconds(1)
        return try await rotateRefreshToken(hash: [1], newHash: [50], newExpiry: now + .hours(1), now: now)
    }
}

extension RefreshOutcome {
    fileprivate var letter: Character {
        switch self {
        case .rotated: "+"
        case .reused: "!"
        case .foreign: "f"
        case .unknown: "?"
        case .expired: "x"
        case .revoked: "-"
        }
    }
}
