public import PromisedDomain

/// A user as ``Store/seed(_:)`` makes them: without an address and without a password, so that nobody can sign in as
/// them but with a token made beside the store.
public struct SeedUser: Hashable, Sendable {
    /// Who.
    public var id: UserID
    /// The nickname as it is shown.
    public var nickname: String
    /// The nickname folded; unique.
    public var nicknameKey: String
    /// The sign-in that a token made for them names.
    public var signIn: SignInID
    /// What is kept of the refresh token that keeps the sign-in alive.
    public var refreshHash: RefreshHash

    /// A user with these names.
    public init(id: UserID, nickname: String, nicknameKey: String, signIn: SignInID, refreshHash: RefreshHash) {
        self.id = id
        self.nickname = nickname
        self.nicknameKey = nicknameKey
        self.signIn = signIn
        self.refreshHash = refreshHash
    }
}
