public import PromisedDomain

/// An account as an administrator sees it.
public struct AdministeredAccount: Hashable, Sendable {
    /// The account.
    public var account: Account
    /// Whether an outside issuer vouches for it.
    public var isExternal: Bool
    /// How many friends.
    public var friendCount: Int
    /// How many promises that are not over, invitations included.
    public var promiseCount: Int
}

/// A sign-in that has not ended.
public struct OpenSignIn: Hashable, Sendable {
    /// Its name.
    public var id: SignInID
    /// When it began.
    public var createdAt: Instant
    /// The first instant at which none of its refresh tokens is good.
    public var expiresAt: Instant
}
