public import PromisedDomain

/// A friend in a list.
public struct Friend: Hashable, Sendable {
    /// Their public card.
    public var card: UserCard
    /// Their folded nickname, by which the list is sorted.
    public var nicknameKey: String
}

/// The end of a page of friends; the list is sorted by folded nickname, then by id.
public struct FriendCursor: Hashable, Sendable, CustomStringConvertible {
    /// The folded nickname of the last friend shown.
    public var nicknameKey: String
    /// The last friend shown.
    public var userID: UserID

    /// A cursor behind a friend.
    public init(nicknameKey: String, userID: UserID) {
        self.nicknameKey = nicknameKey
        self.userID = userID
    }

    /// A cursor behind a friend of a list.
    public init(_ friend: Friend) { self.init(nicknameKey: friend.nicknameKey, userID: friend.card.id) }

    /// A cursor from its opaque text; nil for any other text.
    public init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FriendCursor.kind, parts.number == 0 else { return nil }
        self.init(nicknameKey: parts.text, userID: UserID(high: parts.id.high, low: parts.id.low))
    }

    /// The opaque text: letters, digits, `-` and `_`.
    public var description: String {
        CursorText(kind: FriendCursor.kind, number: 0, id: (userID.high, userID.low), text: nicknameKey).description
    }

    private static let kind = UInt8(ascii: "f")
}
