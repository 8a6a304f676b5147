internal import PromisedDomain
internal import PromisedStore

/// Whom an administrator's connection speaks for.
struct Administrator: Hashable, Sendable {
    /// The token that was shown.
    var tokenID: AdminTokenID
    /// For whom or what it was made.
    var name: String
    /// The first instant of the world's time at which it is no longer good; nil: never.
    var expiresAt: Instant?

    /// Whoever shows that token.
    init(_ token: AdminToken) {
        tokenID = token.id
        name = token.name
        expiresAt = token.expiresAt
    }
}
