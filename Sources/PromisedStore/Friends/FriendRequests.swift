public import PromisedDomain

/// A request as one of the two sees it.
public struct OpenRequest: Hashable, Sendable {
    /// The other one.
    public var user: UserCard
    /// Since when.
    public var since: Instant

    /// A request from or to a user.
    public init(user: UserCard, since: Instant) {
        self.user = user
        self.since = since
    }

    /// Where a page that ends with it ended.
    public var place: FriendRequestCursor.Place { FriendRequestCursor.Place(since: since, userID: user.id) }
}

/// Requests that wait for an answer, a page of each direction, newest first.
public struct FriendRequests: Equatable, Sendable {
    /// From others to the user.
    public var incoming: Page<OpenRequest, FriendRequestCursor.Place>
    /// From the user to others, those among them that were rejected silently.
    public var outgoing: Page<OpenRequest, FriendRequestCursor.Place>
}
