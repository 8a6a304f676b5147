import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AuthSessionTests {
    static let now = Instant.meeting
    static let session = SignInID(high: 1, low: 1)

    /// A client presents tokens one after the other; the store answers each valid one with the next letter.
    struct Case: Sendable, CustomTestStringConvertible {
        /// The tokens in the order presented, with the seconds after the sign-in that created `a`.
        var shown: [(token: Character, at: Double)]
        /// Their outcomes: `+` rotated, `!` reused, `?` unknown, `x` expired, `-` revoked.
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
        // Expiry: valid for less than 1,000 s after its creation.
        Case("+", ("a", 999.999)),
        Case("x", ("a", 1_000)),
        Case("+x", ("a", 500), ("b", 1_500)),
        // The one just replaced, while its successor is unused: for less than 60 s.
        Case("++", ("a", 100), ("a", 100)),
        Case("++", ("a", 100), ("a", 159.999)),
        Case("+!", ("a", 100), ("a", 160)),
        Case("+!-", ("a", 100), ("a", 160), ("b", 161)),
        // The reply may be lost more than once, but the 60 s start at the first use.
        Case("+++", ("a", 100), ("a", 130), ("a", 159)),
        Case("++!", ("a", 100), ("a", 150), ("a", 161)),
        // Its successor was used.
        Case("++!-", ("a", 100), ("b", 110), ("a", 120), ("c", 130)),
        Case("+++!", ("a", 100), ("a", 110), ("c", 120), ("a", 130)),
        // Not the one just replaced.
        Case("+++!", ("a", 100), ("b", 101), ("c", 102), ("a", 103)),
        Case("+++!", ("a", 100), ("b", 101), ("c", 102), ("b", 103)),
        // After a retry the first reply may still arrive: its token counts as just replaced.
        Case("+++", ("a", 100), ("a", 110), ("b", 120)),
        Case("++!", ("a", 100), ("a", 110), ("b", 170)),
        Case("+++!", ("a", 100), ("a", 110), ("c", 115), ("b", 120)),
        Case("++++", ("a", 100), ("a", 110), ("a", 120), ("d", 130)),
        Case("+++++", ("a", 100), ("a", 110), ("a", 120), ("b", 130), ("e", 131)),
        // A replaced token reveals theft even after its expiry.
        Case("+!", ("a", 100), ("a", 1_100)),
    ]

    /// The families of the tokens: none, as in versions up to 0.1; one for the session; none for the first token.
    enum Families: CaseIterable {
        case none, one, later

        /// The stored hash of token `number`.
        func hash(_ number: UInt8) -> RefreshHash {
            let hasFamily = self == .one || self == .later && number > 1
            return RefreshHash([number], family: hasFamily ? [200] : nil)
        }
    }

    @Test(.proves("2.8"), arguments: cases, Families.allCases)
    func `rotates a refresh token by the rules`(_ example: Case, _ families: Families) async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession(families: families)
            var next: UInt8 = 2
            var outcomes = ""
            for (token, seconds) in example.shown {
                let now = AuthSessionTests.now + .seconds(seconds)
                let outcome = try await store.accounts.rotateRefreshToken(
                    token == "z" ? RefreshHash([99], family: [201]) : families.hash(UInt8(token.asciiValue ?? 0) - 96),
                    to: families.hash(next),
                    newExpiry: now + .seconds(1_000),
                    now: now
                )
                if case .rotated = outcome { next += 1 }
                outcomes.append(outcome.letter)
                let isRevoked = try await store.accounts.authSession(AuthSessionTests.session)?.revokedAt != nil
                #expect(isRevoked == outcomes.contains("!"))
            }
            #expect(outcomes == example.outcomes)
        }
    }

    @Test(.proves("2.8")) func `a session has few tokens after any number of refreshes`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession(families: .one)
            for number in 1...100 as ClosedRange<UInt8> {
                #expect(
                    try await store.rotate(.one, number, to: number + 1, after: .minutes(Int64(number))).letter == "+"
                )
                // The one just replaced and its successor.
                #expect(try await store.refreshTokenCount == 2)
            }
            // Repeating the token just replaced creates one more each time, until one of them is used.
            for number in 102...110 as ClosedRange<UInt8> {
                #expect(try await store.rotate(.one, 100, to: number, after: .minutes(100)).letter == "+")
            }
            #expect(try await store.refreshTokenCount == 11)
            #expect(try await store.rotate(.one, 110, to: 111, after: .minutes(100)).letter == "+")
            #expect(try await store.refreshTokenCount == 2)
        }
    }

    @Test(.proves("2.8")) func `a used token ends only its session, and only for its user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.beginSession(families: .one)
            try await store.beginSession(150, of: .user(2))
            for number in 1...3 as ClosedRange<UInt8> {
                _ = try await store.rotate(.one, number, to: number + 1, after: .zero)
            }
            #expect(try await store.rotate(.one, 1, to: 9, after: .zero, of: .user(2)) == .foreign)
            #expect(try await store.accounts.authSession(AuthSessionTests.session)?.revokedAt == nil)
            let reused = RefreshOutcome.reused(userID: .user(1), sessionID: AuthSessionTests.session)
            #expect(try await store.rotate(.one, 1, to: 9, after: .zero) == reused)
            #expect(try await store.accounts.authSession(SignInID(high: 1, low: 150))?.revokedAt == nil)
            #expect(try await store.rotate(.one, 1, to: 9, after: .zero) == .revoked)
        }
    }

    @Test(.proves("2.8"))
    func `a throttled session keeps its token, but a used one ends it`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession(families: .one)
            let refused = RefreshOutcome.tooOften(AuthSessionTests.session)
            #expect(try await store.rotate(.one, 1, to: 2, after: .zero, isAllowed: false) == refused)
            #expect(try await store.refreshTokenCount == 1)
            for number in 1...2 as ClosedRange<UInt8> {
                #expect(try await store.rotate(.one, number, to: number + 1, after: .zero).letter == "+")
            }
            #expect(try await store.rotate(.one, 1, to: 9, after: .zero, isAllowed: false).letter == "!")
        }
    }

    @Test(.proves("2.8"))
    func `the session of a refresh token is known to its user while the token has a row`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.beginSession(families: .one)
            let (first, second) = (Families.one.hash(1), Families.one.hash(2))
            #expect(try await store.accounts.session(refreshedBy: first) == AuthSessionTests.session)
            #expect(try await store.accounts.session(refreshedBy: first, of: .user(1)) == AuthSessionTests.session)
            #expect(try await store.accounts.session(refreshedBy: first, of: .user(2)) == nil)
            #expect(try await store.accounts.session(refreshedBy: second) == nil)
            #expect(try await store.rotate(.one, 1, to: 2, after: .zero).letter == "+")
            #expect(try await store.accounts.session(refreshedBy: first) == AuthSessionTests.session)
            #expect(try await store.rotate(.one, 2, to: 3, after: .zero).letter == "+")
            #expect(try await store.accounts.session(refreshedBy: first) == nil)
        }
    }

    @Test(.proves("2.9")) func `an ended session or one of a deleted user gives no tokens`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            #expect(try await store.accounts.revoke(AuthSessionTests.session, at: AuthSessionTests.now))
            #expect(try await !store.accounts.revoke(AuthSessionTests.session, at: AuthSessionTests.now + .seconds(1)))
            #expect(try await store.accounts.authSession(AuthSessionTests.session)?.revokedAt == AuthSessionTests.now)
            #expect(try await store.rotate() == .revoked)
        }
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            try await store.bury(.user(1))
            #expect(try await store.rotate() == .revoked)
        }
    }

    @Test(.proves("2.9")) func `ending all sessions spares the given one and those of other users`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.beginSession(number) }
            try await store.beginSession(4, of: .user(2))
            let now = AuthSessionTests.now
            let kept = SignInID(high: 1, low: 2)
            let ended = try await store.accounts.revokeAll(of: .user(1), except: kept, at: now)
            #expect(ended == [SignInID(high: 1, low: 1), SignInID(high: 1, low: 3)])
            #expect(try await store.accounts.revokeAll(of: .user(1), at: now) == [kept])
            #expect(try await store.accounts.revokeAll(of: .user(1), at: now) == [])
            #expect(try await store.accounts.authSession(SignInID(high: 1, low: 4))?.revokedAt == nil)
        }
    }

    @Test func `deletes long expired tokens with their sessions`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.beginSession()
            try await store.accounts.deleteRefreshTokens(expiredBefore: AuthSessionTests.now + .seconds(1_000))
            #expect(try await store.accounts.authSession(AuthSessionTests.session) != nil)
            try await store.accounts.deleteRefreshTokens(expiredBefore: AuthSessionTests.now + .seconds(1_001))
            #expect(try await store.accounts.authSession(AuthSessionTests.session) == nil)
            #expect(try await store.rotate() == .unknown)
        }
    }

    @Test func `a session of an unknown user is an error`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.broken("FOREIGN KEY constraint failed")) {
                try await store.beginSession()
            }
            #expect(try await store.accounts.authSession(AuthSessionTests.session) == nil)
        }
    }
}

extension AuthSessionTests {
    /// The limit is 3: with three sessions the next one ends the oldest, whichever was used last.
    @Test func `a new session replaces the oldest`() async throws {
        try await withStore(users: 1...2) { store async throws in
            func begin(_ number: UInt64, of user: UserID = .user(1)) async throws -> [SignInID]? {
                let id = SignInID(high: 1, low: number)
                return try await store.accounts.createAuthSession(
                    AuthSession(id: id, userID: user, createdAt: Self.now + .seconds(Double(number))),
                    refreshHash: RefreshHash([UInt8(number)]),
                    refreshExpiresAt: Self.now + .days(1),
                    limit: 3
                )
            }
            for number in [2, 1, 3] as [UInt64] { #expect(try await begin(number) == []) }
            #expect(try await begin(9, of: .user(2)) == [])
            #expect(try await begin(4) == [SignInID(high: 1, low: 1)])
            #expect(try await store.accounts.authSession(SignInID(high: 1, low: 1)) == nil)
            // A revoked one also makes room, without a notification.
            #expect(try await store.accounts.revoke(SignInID(high: 1, low: 2), at: Self.now))
            #expect(try await begin(5) == [])
            #expect(try await store.accounts.authSessions(of: .user(1)).map(\.id.low) == [3, 4, 5])
            #expect(try await store.accounts.authSessions(of: .user(2)).count == 1)
        }
    }
}

extension Store {
    /// Begins session `number`, whose token has the hash `[number]` and is valid for 1,000 s.
    fileprivate func beginSession(
        _ number: UInt64 = 1,
        of user: UserID = .user(1),
        families: AuthSessionTests.Families = .none
    ) async throws {
        try await accounts.createAuthSession(
            AuthSession(
                id: SignInID(high: 1, low: number),
                userID: user,
                deviceLabel: "phone",
                createdAt: AuthSessionTests.now
            ),
            refreshHash: families.hash(UInt8(number)),
            refreshExpiresAt: AuthSessionTests.now + .seconds(1_000),
            limit: 50
        )
    }

    /// Uses the token of session 1 a second after its creation.
    fileprivate func rotate() async throws -> RefreshOutcome {
        try await rotate(.none, 1, to: 50, after: .seconds(1))
    }

    /// Presents a token some time after the start of the session; the next one is valid for an hour.
    fileprivate func rotate(
        _ families: AuthSessionTests.Families,
        _ number: UInt8,
        to next: UInt8,
        after span: TimeSpan,
        of user: UserID? = nil,
        isAllowed: Bool = true
    ) async throws -> RefreshOutcome {
        let now = AuthSessionTests.now + span
        return try await accounts.rotateRefreshToken(
            families.hash(number),
            to: families.hash(next),
            newExpiry: now + .hours(1),
            now: now,
            of: user,
            isAllowed: isAllowed
        )
    }

    /// The number of stored tokens, of all sessions.
    fileprivate var refreshTokenCount: Int {
        get async throws {
            try await read { db in try db.row("SELECT count(*) AS count FROM refresh_token")?.value("count") ?? 0 }
        }
    }
}

extension RefreshOutcome {
    fileprivate var letter: Character {
        switch self {
        case .rotated: "+"
        case .reused: "!"
        case .foreign: "f"
        case .tooOften: "…"
        case .unknown: "?"
        case .expired: "x"
        case .revoked: "-"
        }
    }
}
