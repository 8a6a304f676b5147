package import PromisedAccess
package import PromisedDomain
package import PromisedStore

/// Administrators' tokens: a running server and the offline commands create, list and revoke them alike.
package struct AdminTokens: Sendable {
    private let store: AdministrationStore
    private let random: RandomSource

    package init(_ store: some HasAdministration, random: RandomSource = .system) {
        self.store = store.administration
        self.random = random
    }

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - actor: the name for the audit.
    ///   - now: the instant for the audit; the token itself uses real time.
    /// - Returns: the secret, which is not stored, and the token.
    package func create(
        _ order: AdminTokenOrder,
        by actor: String,
        at now: Instant
    ) async throws -> (secret: AdminSecret, token: AdminToken) {
        let (secret, token) = order.issue(at: RealTime.now, using: random)
        try await store.createAdminToken(
            token,
            hash: secret.hash,
            audit: AuditEntry(at: now, actor: actor, action: "createToken", subject: "\(token.id)", detail: token.name)
        )
        return (secret, token)
    }

    /// All tokens, newest first, including revoked and expired ones.
    package func list() async throws -> [AdminToken] { try await store.adminTokens() }

    /// Revokes a token. Returns `true` if this call revoked it, `false` if it was already revoked; nil if it does not
    /// exist.
    package func revoke(_ id: AdminTokenID, by actor: String, at now: Instant) async throws -> Bool? {
        let audit = AuditEntry(at: now, actor: actor, action: "revokeToken", subject: "\(id)")
        return try await store.revokeAdminToken(id, at: RealTime.now, audit: audit)
    }

    /// The token with this secret, if it is valid now. Throws `invalidToken`, `StoreError`.
    package func good(_ secret: AdminSecret) async throws -> AdminToken {
        guard let token = try await store.adminToken(hash: secret.hash), token.isGood(at: RealTime.now) else {
            throw ApplicationError.invalidToken
        }
        return token
    }

    /// Stores when a token was last used.
    package func noteUse(of id: AdminTokenID) async throws(StoreError) {
        try await store.noteUse(of: id, at: RealTime.now)
    }
}

/// A validated request for an administrator's token.
package struct AdminTokenOrder: Sendable {
    static let nameRule = TextRule(field: "name", length: 1...64)
    /// The longest limited validity of a token, in milliseconds: ten years.
    static let longestMs = 3_650.0 * 24 * 3_600 * 1_000

    private let name: String
    private let valid: TimeSpan?

    /// A token for a holder or purpose, and its validity in real time; nil if it is valid until it is revoked. Throws a
    /// problem of the field `name` or `validMs`.
    package init(name: String, validMs: Double?) throws(TextProblem) {
        self.name = try Self.nameRule.clean(name)
        guard let validMs else {
            valid = nil
            return
        }
        guard validMs >= 1, validMs <= Self.longestMs else {
            throw TextProblem(field: "validMs", reason: .malformed(expected: "from 1 ms to 3650 days"))
        }
        valid = TimeSpan(milliseconds: Int64(validMs))
    }

    /// Creates the token. Returns the secret, which is not stored, and the token.
    func issue(at now: Instant, using random: RandomSource) -> (AdminSecret, AdminToken) {
        var generator = random
        let token = AdminToken(
            id: AdminTokenID(at: now, using: &generator),
            name: name,
            createdAt: now,
            expiresAt: valid.map { now + $0 }
        )
        return (AdminSecret(using: &generator), token)
    }
}
