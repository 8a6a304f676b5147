/// A user's account. Of a deleted user, only the id and the instants remain.
package struct Account: Hashable, Sendable {
    package let id: UserID
    /// The address as entered; nil for a deleted account and for one without an address.
    package var email: String?
    /// The nickname as entered; "deleted user" for a deleted account.
    package var nickname: String
    /// The key of the user's picture, possibly empty.
    package var avatar: String
    /// The file of the user's profile picture; nil without one.
    package var picture: PictureID?
    /// BCP 47, possibly empty.
    package var locale: String
    /// IANA, possibly empty.
    package var timeZone: String
    /// `true` if a promise's result creates a visit from the user's arrival.
    package var visitsFromArrivals: Bool
    /// The instant of the sign-up.
    package var createdAt: Instant
    /// When an operator disabled the account; nil if it is enabled.
    package var disabledAt: Instant?
    /// When the user requested the deletion that is in progress; nil otherwise.
    package var deletingAt: Instant?
    /// When the account was deleted; nil if it exists.
    package var deletedAt: Instant?

    package init(
        id: UserID,
        email: String?,
        nickname: String,
        avatar: String,
        picture: PictureID? = nil,
        locale: String,
        timeZone: String,
        visitsFromArrivals: Bool,
        createdAt: Instant,
        disabledAt: Instant?,
        deletingAt: Instant?,
        deletedAt: Instant?
    ) {
        self.id = id
        self.email = email
        self.nickname = nickname
        self.avatar = avatar
        self.picture = picture
        self.locale = locale
        self.timeZone = timeZone
        self.visitsFromArrivals = visitsFromArrivals
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.deletingAt = deletingAt
        self.deletedAt = deletedAt
    }

    /// `true` if the user can sign in.
    package var isUsable: Bool { disabledAt == nil && deletingAt == nil && deletedAt == nil }

    /// The account as others see it.
    package var card: UserCard {
        UserCard(id: id, nickname: nickname, avatar: avatar, picture: picture, isDeleted: deletedAt != nil)
    }
}

/// A change of a profile picture.
package enum PictureChange: Hashable, Sendable {
    /// An uploaded file of the user's.
    case chosen(PictureID)
    case removed
}
