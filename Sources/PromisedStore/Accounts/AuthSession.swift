public import PromisedDomain

/// One sign-in: what access tokens name as `sid`, kept alive by refresh tokens.
public struct AuthSession: Hashable, Sendable {
    /// Its name.
    public let id: SignInID
    /// Who signed in.
    public let userID: UserID
    /// What the client said it was, possibly empty.
    public var deviceLabel: String
    /// When.
    public var createdAt: Instant
    /// When it was ended, nil while it is good.
    public var revokedAt: Instant?

    /// A session that is good.
    public init(id: SignInID, userID: UserID, deviceLabel: String = "", createdAt: Instant) {
        self.id = id
        self.userID = userID
        self.deviceLabel = deviceLabel
        self.createdAt = createdAt
    }
}
