package import PromisedDomain

extension Visit {
    /// `true` if a user may see the visit and its photos now. For all others it does not exist.
    ///
    /// - Parameters:
    ///   - viewer: the requesting user. Administrators get no exception.
    ///   - isFriend: `true` while the viewer and the owner of the visit are friends.
    ///   - isBlocked: `true` while either of the two has blocked the other.
    package func isVisible(to viewer: UserID, isFriend: Bool, isBlocked: Bool) -> Bool {
        let relation = Audience.Relation(
            isSelf: viewer == userID,
            isFriend: isFriend,
            isNamed: companions.contains(.user(viewer)),
            isBlocked: isBlocked
        )
        return audience.admits(relation)
    }
}
