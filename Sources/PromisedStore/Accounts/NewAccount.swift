public import PromisedDomain

/// What a sign-up makes. The keys are the forms under which address and nickname are unique; the caller folds them.
public struct NewAccount: Hashable, Sendable {
    /// Who.
    public var id: UserID
    /// The address as given.
    public var email: String
    /// The address folded, so that different spellings of one mailbox are equal.
    public var emailKey: String
    /// The nickname as given.
    public var nickname: String
    /// The nickname folded.
    public var nicknameKey: String
    /// The hash of the password with its parameters, as the hasher wrote it.
    public var passwordHash: String
    /// Their language (BCP 47), possibly empty.
    public var locale: String
    /// Their time zone (IANA), possibly empty.
    public var timeZone: String
    /// The instant of the sign-up.
    public var createdAt: Instant

    /// A new account with all its fields.
    public init(
        id: UserID,
        email: String,
        emailKey: String,
        nickname: String,
        nicknameKey: String,
        passwordHash: String,
        locale: String = "",
        timeZone: String = "",
        createdAt: Instant
    ) {
        self.id = id
        self.email = email
        self.emailKey = emailKey
        self.nickname = nickname
        self.nicknameKey = nicknameKey
        self.passwordHash = passwordHash
        self.locale = locale
        self.timeZone = timeZone
        self.createdAt = createdAt
    }
}
