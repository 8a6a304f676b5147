package import PromisedAccess
package import PromisedDomain
package import PromisedStore

/// An administrator's token that is asked for, checked.
package struct AdminTokenOrder: Sendable {
    /// What its name may be.
    static let nameRule = TextRule(field: "name", length: 1...64)
    /// How long a token may be valid that is not valid until it is revoked, in milliseconds: ten years.
    static let longestMs = 3_650.0 * 24 * 3_600 * 1_000

    private let name: String
    private let valid: TimeSpan?

    /// A token for whom or what, and for how long in real time; nil: until it is revoked.
    ///
    /// - Throws: a problem of the field `name` or `validMs`.
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

    /// Makes the token.
    ///
    /// - Returns: the secret, which is kept nowhere, and what is known about it afterwards.
    package func issue(at now: Instant) -> (AdminSecret, AdminToken) {
        var generator = SystemRandomNumberGenerator()
        let token = AdminToken(
            id: AdminTokenID(at: now, using: &generator),
            name: name,
            createdAt: now,
            expiresAt: valid.map { now + $0 }
        )
        return (AdminSecret(using: &generator), token)
    }
}
