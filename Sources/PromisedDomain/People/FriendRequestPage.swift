/// An open friend request, from the point of view of one of the two users.
package struct OpenRequest: Hashable, Sendable {
    package var user: UserCard
    /// When the request was made.
    package var since: Instant

    package init(user: UserCard, since: Instant) {
        self.user = user
        self.since = since
    }

    /// The cursor position after this request.
    package var place: FriendRequestCursor.Place { FriendRequestCursor.Place(since: since, userID: user.id) }
}

/// A page of open requests in each direction, newest first.
package struct FriendRequestPage: Equatable, Sendable {
    /// Requests from others to the user.
    package var incoming: Page<OpenRequest, FriendRequestCursor.Place>
    /// Requests from the user to others, including silently rejected ones.
    package var outgoing: Page<OpenRequest, FriendRequestCursor.Place>

    package init(
        incoming: Page<OpenRequest, FriendRequestCursor.Place>,
        outgoing: Page<OpenRequest, FriendRequestCursor.Place>
    ) {
        self.incoming = incoming
        self.outgoing = outgoing
    }
}

/// The end of a page of friend requests: both directions are sorted by time, newest first, then by id.
package struct FriendRequestCursor: Hashable, Sendable, CustomStringConvertible {
    /// The last request shown in one direction.
    package struct Place: Hashable, Sendable {
        /// When the request was made.
        package var since: Instant
        package var userID: UserID

        package init(since: Instant, userID: UserID) {
            self.since = since
            self.userID = userID
        }
    }

    /// The incoming request after which the next page begins; nil for the first page.
    package var incoming: Place?
    /// The same for outgoing requests.
    package var outgoing: Place?

    package init(incoming: Place?, outgoing: Place?) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FriendRequestCursor.kind else { return nil }
        if parts.number != FriendRequestCursor.start {
            let userID = UserID(high: parts.id.high, low: parts.id.low)
            incoming = Place(since: Instant(milliseconds: parts.number), userID: userID)
        }
        guard !parts.text.isEmpty else { return }
        let words = parts.text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let since = Int64(words[0]), let userID = UserID(String(words[1])) else { return nil }
        outgoing = Place(since: Instant(milliseconds: since), userID: userID)
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(
            kind: FriendRequestCursor.kind,
            number: incoming?.since.milliseconds ?? FriendRequestCursor.start,
            id: (incoming?.userID.high ?? 0, incoming?.userID.low ?? 0),
            text: outgoing.map { "\($0.since.milliseconds) \($0.userID)" } ?? ""
        ).description
    }

    private static let kind = UInt8(ascii: "r")
    /// Encodes nil.
    private static let start = Int64.max
}
