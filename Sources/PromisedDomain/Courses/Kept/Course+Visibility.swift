extension Course {
    /// `true` if a user with a relation to the course's user may see it. To all others it does not exist.
    ///
    /// - Parameters:
    ///   - userID: the user whose course it is; nil for a recommended one, which everybody sees.
    ///   - relation: that of the user who asks. To be an administrator makes no difference.
    ///   - isCarried: `true` while a promise of the course's user carries it and the user who asks is in that promise.
    package static func isVisible(
        of userID: UserID?,
        for audience: Audience,
        to relation: Audience.Relation,
        isCarried: Bool = false
    ) -> Bool {
        if userID == nil || audience.admits(relation) { return true }
        return isCarried && !relation.isBlocked
    }

    /// The course as others than its user see it: the way without times and hidden ends, the numbers about that part, and
    /// nothing of the user's affairs: no folder, no promise, no stops, nobody else it is shared with, not even how much is hidden.
    package var forOthers: Course {
        var seen = self
        if let userID { seen.home = Home(userID: userID, folderID: FolderID(high: 0, low: 0)) }
        seen.promiseID = nil
        seen.way.startedAt = nil
        (seen.way.shape, seen.way.statistics) = (way.hidden, way.hiddenStatistics)
        seen.named = named.compactMap { waypoint in
            waypoint.forOthers.map { NamedWaypoint($0, othersAtMetres: $0.atMetres) }
        }
        // Without a way-point that others may see the server's take their place; so they never tell that others exist.
        (seen.sharing.people, seen.sharing.hideMetres) = ([], 0)
        return seen
    }

    /// The course as a user sees it who may see it.
    package func seen(by viewer: UserID) -> Course { viewer == userID ? self : forOthers }
}
