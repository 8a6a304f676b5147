public import PromisedDomain

/// Requests that wait for an answer, newest first.
public struct FriendRequests: Hashable, Sendable {
    /// From others to the user.
    public var incoming: [UserCard]
    /// From the user to others.
    public var outgoing: [UserCard]

    /// Requests in both directions.
    public init(incoming: [UserCard], outgoing: [UserCard]) {
        self.incoming = incoming
        self.outgoing = outgoing
    }
}
