/// Names a user.
public typealias UserID = ID<UserCard>

/// What others see of a user.
public struct UserCard: Hashable, Sendable {
    /// Who.
    public let id: UserID
    /// Their nickname; "deleted user" for a tombstone.
    public var nickname: String
    /// The key of their picture, possibly empty.
    public var avatar: String
    /// Whether the account was deleted.
    public var isDeleted: Bool

    /// A card as others see it.
    public init(id: UserID, nickname: String, avatar: String = "", isDeleted: Bool = false) {
        self.id = id
        self.nickname = nickname
        self.avatar = avatar
        self.isDeleted = isDeleted
    }

    /// What is left of somebody whose account was deleted (domain §2).
    public static func tombstone(of id: UserID) -> UserCard {
        UserCard(id: id, nickname: tombstoneName, isDeleted: true)
    }

    /// The nickname of everybody whose account was deleted; no account can have it, for it has a space.
    public static let tombstoneName = "deleted user"
}
