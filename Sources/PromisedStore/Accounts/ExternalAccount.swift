public import PromisedDomain

/// A user whom an outside issuer knows, as a token finds them.
public struct ExternalAccount: Hashable, Sendable {
    /// Who.
    public var userID: UserID
    /// Whether they may sign in: neither disabled nor being deleted.
    public var isUsable: Bool
}

/// What the first sight of an outside issuer's subject makes.
public struct NewExternalAccount: Hashable, Sendable {
    /// Who it will be.
    public var id: UserID
    /// The issuer's name for them.
    public var subject: String
    /// The keyed hash by which this subject would be remembered as deleted.
    public var subjectKey: [UInt8]
    /// When the token was issued, on the server's clock; nil when it does not say.
    public var issuedAt: Instant?
    /// The nicknames to try, in this order.
    public var nicknames: [ChosenNickname]
    /// Their language (BCP 47), possibly empty.
    public var locale: String
    /// Their time zone (IANA), possibly empty.
    public var timeZone: String
    /// The instant of the first sight.
    public var createdAt: Instant

    /// A new account with all its fields.
    public init(
        id: UserID,
        subject: String,
        subjectKey: [UInt8],
        issuedAt: Instant?,
        nicknames: [ChosenNickname],
        locale: String = "",
        timeZone: String = "",
        createdAt: Instant
    ) {
        self.id = id
        self.subject = subject
        self.subjectKey = subjectKey
        self.issuedAt = issuedAt
        self.nicknames = nicknames
        self.locale = locale
        self.timeZone = timeZone
        self.createdAt = createdAt
    }
}

/// What became of the first sight of a subject.
public enum ExternalSignUpOutcome: Hashable, Sendable {
    /// The account is there: new, or made by another token a moment ago.
    case found(ExternalAccount)
    /// The subject's account was deleted after the token was issued, or the token does not say when it was.
    case deleted
    /// All the nicknames belong to others; nothing was written.
    case nicknamesTaken
}
