package import PromisedDomain

extension Course {
    /// `true` if a user may see the course, given their relation to its owner. For all others the course does not
    /// exist.
    ///
    /// - Parameters:
    ///   - userID: the owner; nil for a recommended course, which everyone sees.
    ///   - relation: the requesting user's relation to the owner. Administrators get no exception.
    ///   - isCarried: `true` while a promise of the owner carries the course and the requesting user is in that
    ///     promise.
    package static func isVisible(
        of userID: UserID?,
        for audience: Audience,
        to relation: Audience.Relation,
        isCarried: Bool = false
    ) -> Bool {
        if userID == nil || audience.admits(relation) { return true }
        return isCarried && !relation.isBlocked
    }

    /// The course as users other than the owner see it: the way without times and hidden ends, the statistics of that
    /// part, and no private data: no folder, promise, stops or other people it is shared with, nor how much is hidden.
    package var forOthers: Course {
        var seen = self
        if let userID { seen.home = Home(userID: userID, folderID: FolderID(high: 0, low: 0)) }
        seen.promiseID = nil
        seen.way.startedAt = nil
        (seen.way.shape, seen.way.statistics) = (way.hidden, way.hiddenStatistics)
        seen.named = named.compactMap { waypoint in
            waypoint.forOthers.map { NamedWaypoint($0, othersAtMetres: $0.atMetres) }
        }
        // If others may see no named way-point, the server's replace them, so that the existence of others is not
        // revealed.
        (seen.sharing.people, seen.sharing.hideMetres) = ([], 0)
        return seen
    }

    /// The course as seen by a user who may see it.
    package func seen(by viewer: UserID) -> Course { viewer == userID ? self : forOthers }
}
