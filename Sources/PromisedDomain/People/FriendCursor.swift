/// A friend in a list.
package struct Friend: Hashable, Sendable {
    package var card: UserCard
    /// The folded nickname, by which the list is sorted.
    package var nicknameKey: String

    package init(card: UserCard, nicknameKey: String) {
        self.card = card
        self.nicknameKey = nicknameKey
    }
}

/// The end of a page of friends; the list is sorted by folded nickname, then by id.
package struct FriendCursor: Hashable, Sendable, CustomStringConvertible {
    /// The folded nickname of the last friend shown.
    package var nicknameKey: String
    /// The last friend shown.
    package var userID: UserID

    package init(nicknameKey: String, userID: UserID) {
        self.nicknameKey = nicknameKey
        self.userID = userID
    }

    package init(_ friend: Friend) { self.init(nicknameKey: friend.nicknameKey, userID: friend.card.id) }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FriendCursor.kind, parts.number == 0 else { return nil }
        self.init(nicknameKey: parts.text, userID: UserID(high: parts.id.high, low: parts.id.low))
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(kind: FriendCursor.kind, number: 0, id: (userID.high, userID.low), text: nicknameKey).description
    }

    private static let kind = UInt8(ascii: "f")
}
