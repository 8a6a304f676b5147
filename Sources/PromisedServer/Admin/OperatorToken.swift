public import PromisedDomain
internal import PromisedStore

/// An administrator's token as an operator sees it, without its secret. Instants are those of the world.
public struct OperatorToken: Hashable, Sendable {
    /// Names it.
    public var id: String
    /// For whom or what.
    public var name: String
    /// When it was made.
    public var createdAt: Instant
    /// Until when it is valid; nil: until it is revoked.
    public var expiresAt: Instant?
    /// When it was revoked; nil when it was not.
    public var revokedAt: Instant?
    /// When it was last used; nil when never.
    public var lastUsedAt: Instant?

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
public struct Breach: Hashable, Sendable {
    /// The check that found it: a short stable name.
    public var check: String
    /// Where, with ids in hexadecimal; holds no name and no position.
    public var detail: String
}
