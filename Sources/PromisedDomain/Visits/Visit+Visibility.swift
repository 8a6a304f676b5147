extension Visit {
    /// `true` if a user may see the visit and its photos now. To all others it does not exist.
    ///
    /// - Parameters:
    ///   - viewer: the user who asks. To be an administrator makes no difference.
    ///   - isFriend: `true` while they and the user of the visit are friends.
    ///   - isBlocked: `true` while either of the two blocks the other.
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
