/// What a user changes about their account; what is nil stays.
public struct AccountChanges: Hashable, Sendable {
    /// Another nickname.
    public var nickname: ChosenNickname?
    /// Another picture; empty: none.
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

/// What became of changes to an account.
public enum AccountChangeOutcome: Hashable, Sendable {
    /// All of them were made; the account as it is now.
    case changed(Account)
    /// Another account has this nickname; nothing was written.
    case nicknameTaken
    /// There is no such account, or it is deleted or being deleted; nothing was written.
    case gone
}
