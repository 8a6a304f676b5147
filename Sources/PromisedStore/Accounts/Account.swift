public import PromisedDomain

/// A user as the server knows them; of a deleted one only the id and the instants remain.
public struct Account: Hashable, Sendable {
    /// Who.
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

    /// Whether somebody may be signed in as this user.
    public var isUsable: Bool { disabledAt == nil && deletingAt == nil && deletedAt == nil }

    /// What others see of them.
    public var card: UserCard { UserCard(id: id, nickname: nickname, avatar: avatar, isDeleted: deletedAt != nil) }
}
