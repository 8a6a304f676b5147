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

/// Two different users, whichever is named first.
public struct UserPair: Hashable, Sendable {
    /// The smaller of the two ids.
    public let first: UserID
    /// The larger of the two ids.
    public let second: UserID

    /// Two different users in either order.
    public init(_ one: UserID, _ other: UserID) {
        precondition(one != other, "A pair needs two users")
        first = min(one, other)
        second = max(one, other)
    }

    /// The other of the two; nil for a user who is neither.
    public func other(than user: UserID) -> UserID? {
        if user == first { return second }
        return user == second ? first : nil
    }
}

/// One sign-in of a user: what access tokens name as `sid`, kept alive by refresh tokens.
public enum SignIn {}

/// Names a sign-in.
public typealias SignInID = ID<SignIn>

/// What is kept of a refresh token, of which the token itself cannot be told.
public struct RefreshHash: Hashable, Sendable {
    /// The hash of the whole token; unique.
    public var token: [UInt8]
    /// The hash of the part that all tokens of one session have in common: it tells whose a token was whose row is gone.
    /// Nil for tokens of versions up to 0.1, which have no such part.
    public var family: [UInt8]?

    /// The hashes of a token and of its family.
    public init(_ token: [UInt8], family: [UInt8]? = nil) {
        self.token = token
        self.family = family
    }
}
