import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AdminTokenTests {
    @Test func `finds a token only by its hash`() async throws {
        try await withStore { store async throws in
            let token = AdminToken.sample(1)
            try await store.administration.createAdminToken(token, hash: hash(1), audit: .sample("createToken"))
            #expect(try await store.administration.adminToken(hash: hash(1)) == token)
            #expect(try await store.administration.adminToken(hash: hash(2)) == nil)
            #expect(try await store.administration.audit(limit: 9).items == [.sample("createToken")])
        }
    }

    @Test func `rejects a second token with the same hash without a trace`() async throws {
        try await withStore { store async throws in
            try await store.administration.createAdminToken(.sample(1), hash: hash(1), audit: .sample("createToken"))
            await #expect(throws: StoreError.self) {
                try await store.administration.createAdminToken(
                    .sample(2),
                    hash: hash(1),
                    audit: .sample("createToken")
                )
            }
            #expect(try await store.administration.adminTokens().map(\.id) == [AdminToken.sample(1).id])
            #expect(try await store.administration.audit(limit: 9).items.count == 1)
        }
    }

    @Test func `creates the first token once, also after its revocation`() async throws {
        try await withStore { store async throws in
            #expect(try await !store.administration.hasAdminTokens())
            #expect(
                try await store.administration.createFirstAdminToken(.sample(1), hash: hash(1), audit: .sample("first"))
            )
            #expect(
                try await store.administration.revokeAdminToken(
                    AdminToken.sample(1).id,
                    at: .meeting,
                    audit: .sample("x")
                ) == true
            )
            #expect(try await store.administration.hasAdminTokens())
            #expect(
                try await !store.administration.createFirstAdminToken(
                    .sample(2),
                    hash: hash(2),
                    audit: .sample("first")
                )
            )
            #expect(try await store.administration.adminTokens().count == 1)
        }
    }

    @Test func `lists revoked tokens, newest first, and revokes each once`() async throws {
        try await withStore { store async throws in
            for number in 1...3 as ClosedRange<UInt8> {
                try await store.administration.createAdminToken(
                    .sample(number),
                    hash: hash(number),
                    audit: .sample("createToken")
                )
            }
            let id = AdminToken.sample(2).id
            #expect(
                try await store.administration.revokeAdminToken(id, at: .meeting, audit: .sample("revokeToken")) == true
            )
            #expect(
                try await store.administration.revokeAdminToken(
                    id,
                    at: .meeting + .days(1),
                    audit: .sample("revokeToken")
                ) == false
            )
            #expect(
                try await store.administration.revokeAdminToken(
                    AdminToken.sample(9).id,
                    at: .meeting,
                    audit: .sample("x")
                ) == nil
            )
            try await store.administration.noteUse(of: id, at: .meeting)
            let tokens = try await store.administration.adminTokens()
            #expect(tokens.map(\.name) == ["token 3", "token 2", "token 1"])
            #expect(tokens[1].revokedAt == .meeting && tokens[1].lastUsedAt == .meeting)
            #expect(tokens[0].revokedAt == nil && tokens[0].lastUsedAt == nil)
            #expect(
                try await store.administration.audit(limit: 9).items.filter { $0.action == "revokeToken" }.count == 1
            )
        }
    }

    @Test(arguments: [(-1, true), (0, false), (1, false)])
    func `a token is valid before its expiry`(offset: Int, isGood: Bool) {
        var token = AdminToken.sample(1)
        token.expiresAt = .meeting
        #expect(token.isGood(at: .meeting + .milliseconds(Int64(offset))) == isGood)
        token.expiresAt = nil
        #expect(token.isGood(at: .meeting))
        token.revokedAt = .meeting
        #expect(!token.isGood(at: .meeting - .days(1)))
    }

    private func hash(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }
}

extension AdminToken {
    /// The token with that number; higher ones are newer.
    static func sample(_ number: UInt8) -> AdminToken {
        AdminToken(
            id: AdminTokenID(high: 0x0192_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)),
            name: "token \(number)",
            createdAt: .meeting + .seconds(Double(number))
        )
    }
}

extension AuditEntry {
    /// An audit entry of an action.
    static func sample(_ action: String, at: Instant = .meeting) -> AuditEntry {
        AuditEntry(at: at, actor: "tests", action: action, subject: "somebody", detail: "something")
    }
}
