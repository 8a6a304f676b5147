public import PromisedDomain

/// What a sign-in is checked against.
public struct Credential: Hashable, Sendable {
    /// Whose.
    public var userID: UserID
    /// The hash of the password with its parameters.
    public var passwordHash: String
    /// Whether an operator disabled the account.
    public var isDisabled: Bool
}
