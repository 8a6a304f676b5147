/// One sign-in of a user: what access tokens name as `sid`, kept alive by refresh tokens.
public enum SignIn {}

/// Names a sign-in.
public typealias SignInID = ID<SignIn>

/// What is kept of a refresh token, of which the token itself cannot be told.
public struct RefreshHash: Hashable, Sendable {
    /// The hash of the whole token; unique.
    public var token: [UInt8]
    /// The hash of the part that all tokens of one session have in common: it tells whose a token was whose row is gone.
    /// Nil for tokens of versions up to 0.1, which have no such part.
    public var family: [UInt8]?

    /// The hashes of a token and of its family.
    public init(_ token: [UInt8], family: [UInt8]? = nil) {
        self.token = token
        self.family = family
    }
}
