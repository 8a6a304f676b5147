/// How many things wait for a user's answer.
public struct Unread: Hashable, Sendable {
    /// Friend requests of others.
    public var friendRequests: Int
    /// Invitations whose window is not over.
    public var invitations: Int

    /// Counts of what waits.
    public init(friendRequests: Int, invitations: Int) {
        self.friendRequests = friendRequests
        self.invitations = invitations
    }
}
