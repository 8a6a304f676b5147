/// An administrator's token, without its secret. Its instants are real ones, even if the server's clock is scaled.
package struct AdminToken: Hashable, Sendable {
    package let id: AdminTokenID
    /// Its holder or purpose, 1–64 characters.
    package var name: String
    package var createdAt: Instant
    /// The first instant at which it is invalid; nil for never.
    package var expiresAt: Instant?
    /// When it was revoked; nil if it was not.
    package var revokedAt: Instant?
    /// When it was last used in a hello; nil if never.
    package var lastUsedAt: Instant?

    /// An unused token.
    package init(id: AdminTokenID, name: String, createdAt: Instant, expiresAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// `true` if the token is valid at `now`.
    package func isGood(at now: Instant) -> Bool { revokedAt == nil && expiresAt.map { now < $0 } ?? true }
}

package typealias AdminTokenID = ID<AdminToken>
