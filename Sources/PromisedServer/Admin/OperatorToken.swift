package import PromisedDomain
internal import PromisedStore

/// An administrator's token as an operator sees it, without its secret. Instants are those of the world.
package struct OperatorToken: Hashable, Sendable {
    /// Names it.
    package var id: String
    /// For whom or what.
    package var name: String
    /// When it was made.
    package var createdAt: Instant
    /// Until when it is valid; nil: until it is revoked.
    package var expiresAt: Instant?
    /// When it was revoked; nil when it was not.
    package var revokedAt: Instant?
    /// When it was last used; nil when never.
    package var lastUsedAt: Instant?

    init(_ token: AdminToken) {
        id = "\(token.id)"
        name = token.name
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        revokedAt = token.revokedAt
        lastUsedAt = token.lastUsedAt
    }
}

/// Something that must always hold in the database, and does not.
package struct Breach: Hashable, Sendable {
    /// The check that found it: a short stable name.
    package var check: String
    /// Where, with ids in hexadecimal; holds no name and no position.
    package var detail: String
}
