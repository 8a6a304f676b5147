public import PromisedDomain

/// An administrator's token, without its secret. Its instants are those of the world, whatever the server's clock says.
public struct AdminToken: Hashable, Sendable {
    /// Its name for machines.
    public let id: AdminTokenID
    /// For whom or what, 1–64 characters.
    public var name: String
    /// When it was made.
    public var createdAt: Instant
    /// The first instant at which it is no longer good; nil: never.
    public var expiresAt: Instant?
    /// When it was revoked; nil while it is not.
    public var revokedAt: Instant?
    /// When somebody last said hello with it; nil when nobody did.
    public var lastUsedAt: Instant?

    /// A token that nobody has used.
    public init(id: AdminTokenID, name: String, createdAt: Instant, expiresAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether it is accepted at an instant.
    public func isGood(at now: Instant) -> Bool {
        revokedAt == nil && expiresAt.map { now < $0 } ?? true
    }
}

/// Names an administrator's token.
public typealias AdminTokenID = ID<AdminToken>
