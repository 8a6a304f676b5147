package import PromisedDomain

/// A user as the server knows them; of a deleted one only the id and the instants remain.
package struct Account: Hashable, Sendable {
    /// The user's id.
    package let id: UserID
    /// The address as it was given, nil for a deleted account and for one without an address.
    package var email: String?
    /// The nickname as it was given; "deleted user" for a deleted account.
    package var nickname: String
    /// The key of their picture, possibly empty.
    package var avatar: String
    /// Their language (BCP 47), possibly empty.
    package var locale: String
    /// Their time zone (IANA), possibly empty.
    package var timeZone: String
    /// `true` if a promise's result makes a visit of the user's arrival.
    package var visitsFromArrivals: Bool
    /// When they signed up.
    package var createdAt: Instant
    /// When an operator disabled the account, nil while it is not.
    package var disabledAt: Instant?
    /// When the user asked for the deletion that is still under way, nil otherwise.
    package var deletingAt: Instant?
    /// When the account was deleted, nil while it is not.
    package var deletedAt: Instant?

    /// `true` if a sign-in as this user is possible.
    package var isUsable: Bool { disabledAt == nil && deletingAt == nil && deletedAt == nil }

    /// The account as others see it.
    package var card: UserCard { UserCard(id: id, nickname: nickname, avatar: avatar, isDeleted: deletedAt != nil) }
}

/// A nickname for an account, with the folded form under which it is unique; the caller folds it.
package struct ChosenNickname: Hashable, Sendable {
    /// The nickname as it is shown.
    package var text: String
    /// The nickname folded.
    package var key: String

    /// A nickname with its folded form.
    package init(text: String, key: String) {
        self.text = text
        self.key = key
    }
}

/// The data of a sign-up. The keys are the forms under which address and nickname are unique; the caller folds them.
package struct NewAccount: Hashable, Sendable {
    /// The user's id.
    package var id: UserID
    /// The address as given.
    package var email: String
    /// The address folded, so that different spellings of one mailbox are equal.
    package var emailKey: String
    /// The nickname as given.
    package var nickname: String
    /// The nickname folded.
    package var nicknameKey: String
    /// The hash of the password with its parameters, as the hasher wrote it.
    package var passwordHash: String
    /// Their language (BCP 47), possibly empty.
    package var locale: String
    /// Their time zone (IANA), possibly empty.
    package var timeZone: String
    /// The instant of the sign-up.
    package var createdAt: Instant

    /// A new account with all its fields.
    package init(
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
package enum SignUpOutcome: Hashable, Sendable {
    /// The account was created.
    case created
    /// Another account has this address; nothing was written.
    case emailTaken
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
}

/// A user's changes to their account; nil leaves a value as it is.
package struct AccountChanges: Hashable, Sendable {
    /// Another nickname.
    package var nickname: ChosenNickname?
    /// Another picture; empty removes it.
    package var avatar: String?
    /// Another language (BCP 47).
    package var locale: String?
    /// Another time zone (IANA).
    package var timeZone: String?
    /// Whether the results of promises make visits from now on.
    package var visitsFromArrivals: Bool?

    /// Changes with all their parts.
    package init(
        nickname: ChosenNickname? = nil,
        avatar: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil,
        visitsFromArrivals: Bool? = nil
    ) {
        self.nickname = nickname
        self.avatar = avatar
        self.locale = locale
        self.timeZone = timeZone
        self.visitsFromArrivals = visitsFromArrivals
    }
}

/// The outcome of changes to an account.
package enum AccountChangeOutcome: Hashable, Sendable {
    /// All of them were made; the account as it is now.
    case changed(Account)
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
    /// There is no such account, or it is deleted or being deleted; nothing was written.
    case gone
}

/// The data that a sign-in is checked against.
package struct Credential: Hashable, Sendable {
    /// The user.
    package var userID: UserID
    /// The hash of the password with its parameters.
    package var passwordHash: String
    /// `true` if an operator disabled the account.
    package var isDisabled: Bool
}
