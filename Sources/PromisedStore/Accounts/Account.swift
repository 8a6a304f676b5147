public import PromisedDomain

/// A user as the server knows them; of a deleted one only the id and the instants remain.
public struct Account: Hashable, Sendable {
    /// The user's id.
    public let id: UserID
    /// The address as it was given, nil for a deleted account and for one without an address.
    public var email: String?
    /// The nickname as it was given; "deleted user" for a deleted account.
    public var nickname: String
    /// The key of their picture, possibly empty.
    public var avatar: String
    /// Their language (BCP 47), possibly empty.
    public var locale: String
    /// Their time zone (IANA), possibly empty.
    public var timeZone: String
    /// When they signed up.
    public var createdAt: Instant
    /// When an operator disabled the account, nil while it is not.
    public var disabledAt: Instant?
    /// When the user asked for the deletion that is still under way, nil otherwise.
    public var deletingAt: Instant?
    /// When the account was deleted, nil while it is not.
    public var deletedAt: Instant?

    /// `true` if a sign-in as this user is possible.
    public var isUsable: Bool { disabledAt == nil && deletingAt == nil && deletedAt == nil }

    /// What others see of them.
    public var card: UserCard { UserCard(id: id, nickname: nickname, avatar: avatar, isDeleted: deletedAt != nil) }
}

/// A nickname for an account, with the folded form under which it is unique; the caller folds it.
public struct ChosenNickname: Hashable, Sendable {
    /// The nickname as it is shown.
    public var text: String
    /// The nickname folded.
    public var key: String

    /// A nickname with its folded form.
    public init(text: String, key: String) {
        self.text = text
        self.key = key
    }
}

/// The data of a sign-up. The keys are the forms under which address and nickname are unique; the caller folds them.
public struct NewAccount: Hashable, Sendable {
    /// The user's id.
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

/// The outcome of a sign-up.
public enum SignUpOutcome: Hashable, Sendable {
    /// The account was created.
    case created
    /// Another account has this address; nothing was written.
    case emailTaken
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
}

/// A user's changes to their account; nil leaves a value as it is.
public struct AccountChanges: Hashable, Sendable {
    /// Another nickname.
    public var nickname: ChosenNickname?
    /// Another picture; empty removes it.
    public var avatar: String?
    /// Another language (BCP 47).
    public var locale: String?
    /// Another time zone (IANA).
    public var timeZone: String?

    /// Changes with all their parts.
    public init(
        nickname: ChosenNickname? = nil,
        avatar: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.nickname = nickname
        self.avatar = avatar
        self.locale = locale
        self.timeZone = timeZone
    }
}

/// The outcome of changes to an account.
public enum AccountChangeOutcome: Hashable, Sendable {
    /// All of them were made; the account as it is now.
    case changed(Account)
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
    /// There is no such account, or it is deleted or being deleted; nothing was written.
    case gone
}

/// The data that a sign-in is checked against.
public struct Credential: Hashable, Sendable {
    /// The user.
    public var userID: UserID
    /// The hash of the password with its parameters.
    public var passwordHash: String
    /// `true` if an operator disabled the account.
    public var isDisabled: Bool
}
