package typealias UserID = ID<UserCard>

/// The public part of a user.
package struct UserCard: Hashable, Sendable {
    package let id: UserID
    /// Their nickname; "deleted user" for a tombstone.
    package var nickname: String
    /// The key of their picture, possibly empty.
    package var avatar: String
    /// The file of their profile picture; nil without one.
    package var picture: PictureID?
    /// `true` if the account was deleted.
    package var isDeleted: Bool

    package init(id: UserID, nickname: String, avatar: String = "", picture: PictureID? = nil, isDeleted: Bool = false)
    {
        self.id = id
        self.nickname = nickname
        self.avatar = avatar
        self.picture = picture
        self.isDeleted = isDeleted
    }

    /// The card of a deleted account (domain §2).
    package static func tombstone(of id: UserID) -> UserCard {
        UserCard(id: id, nickname: tombstoneName, isDeleted: true)
    }

    /// The nickname of all deleted accounts; no account can choose it, because it has a space.
    package static let tombstoneName = "deleted user"
}

/// Two different users, in either order.
package struct UserPair: Hashable, Sendable {
    /// The smaller of the two ids.
    package let first: UserID
    /// The larger of the two ids.
    package let second: UserID

    package init(_ one: UserID, _ other: UserID) {
        precondition(one != other, "A pair needs two users")
        first = min(one, other)
        second = max(one, other)
    }

    /// The other of the two; nil for any other user.
    package func other(than user: UserID) -> UserID? {
        if user == first { return second }
        return user == second ? first : nil
    }
}

/// One sign-in of a user: `sid` in access tokens, extended by refresh tokens.
package enum SignIn {}

package typealias SignInID = ID<SignIn>

/// The stored form of a refresh token, from which the token cannot be derived.
package struct RefreshHash: Hashable, Sendable {
    /// The hash of the whole token; unique.
    package var token: [UInt8]
    /// The hash of the part that all tokens of one session have in common: it identifies a token whose row is deleted.
    /// Nil for tokens of versions up to 0.1, which have no such part.
    package var family: [UInt8]?

    package init(_ token: [UInt8], family: [UInt8]? = nil) {
        self.token = token
        self.family = family
    }
}

/// The stored form of an address or a device from which a user has signed in; neither can be derived from it without
/// the server's secret.
package struct CallerDigest: Hashable, Sendable {
    /// The kind of caller, as it is stored.
    package enum Kind: Int, CaseIterable, Sendable {
        /// An address, as limits per address count it.
        case address = 0
        /// A device, by its own secret.
        case device = 1
    }

    package let kind: Kind
    /// 32 bytes, different for each account.
    package let bytes: [UInt8]

    package init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}
