public import PromisedDomain
public import PromisedProtocol

extension WireFriendship {
    /// How it stands between a caller and another user.
    ///
    /// - Parameter friendship: nil when there was never anything between them.
    public init(_ friendship: Friendship?, seenBy caller: UserID, other: UserCard) {
        self.init()
        user = WireUserCard(other)
        state = friendship.map { WireFriendshipState.Value($0, seenBy: caller) } ?? .none
    }
}

extension WireFriendshipState.Value {
    /// How a pair stands, as one of the two sees it: that the other one blocks, or rejected a request,
    /// is not told.
    public init(_ friendship: Friendship, seenBy caller: UserID) {
        if friendship.blockedBy.contains(caller) {
            self = .blocked
            return
        }
        switch friendship.state(seenBy: caller) {
        case .none: self = .none
        case .requested(let requester): self = requester == caller ? .requestedByMe : .requestedByThem
        case .friends: self = .friends
        }
    }
}
