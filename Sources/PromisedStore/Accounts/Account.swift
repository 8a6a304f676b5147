package import PromisedDomain

/// A nickname for an account, with its folded form, which is unique; the caller folds it.
package struct ChosenNickname: Hashable, Sendable {
    /// The nickname as displayed.
    package var text: String
    package var key: String

    package init(text: String, key: String) {
        self.text = text
        self.key = key
    }
}

/// The data of a sign-up. The keys are the forms under which address and nickname are unique; the caller folds them.
package struct NewAccount: Hashable, Sendable {
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
    /// BCP 47, possibly empty.
    package var locale: String
    /// IANA, possibly empty.
    package var timeZone: String
    package var createdAt: Instant

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
    package var nickname: ChosenNickname?
    /// A new picture; empty removes it.
    package var avatar: String?
    /// BCP 47.
    package var locale: String?
    /// IANA.
    package var timeZone: String?
    /// `true` if the results of promises create visits from now on.
    package var visitsFromArrivals: Bool?
    package var picture: PictureChange?

    package init(
        nickname: ChosenNickname? = nil,
        avatar: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil,
        visitsFromArrivals: Bool? = nil,
        picture: PictureChange? = nil
    ) {
        self.nickname = nickname
        self.avatar = avatar
        self.locale = locale
        self.timeZone = timeZone
        self.visitsFromArrivals = visitsFromArrivals
        self.picture = picture
    }
}

/// The outcome of changes to an account.
package enum AccountChangeOutcome: Hashable, Sendable {
    /// All changes were applied; the account after them.
    case changed(Account)
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
    /// The user has no unused file of a profile picture with this id; nothing was written.
    case pictureUnknown
    /// The account does not exist, is deleted or is being deleted; nothing was written.
    case gone
}

/// The data that a sign-in is checked against.
package struct Credential: Hashable, Sendable {
    package var userID: UserID
    /// The hash of the password with its parameters.
    package var passwordHash: String
    /// `true` if an operator disabled the account.
    package var isDisabled: Bool
}
