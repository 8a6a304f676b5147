package import PromisedDomain

/// The points of a course for one user who sees it.
package struct CourseTrack: Hashable, Sendable {
    /// The points as they were recorded.
    package let raw: Track
    /// When they were cleaned.
    package let cleanedAt: Instant
    /// The way is hidden from others within this distance of its ends, in metres.
    package let hideMetres: Int
    /// The secret of the owner.
    private let secret: EndsSecret
    /// `true` if the requesting user is the owner.
    package let isOwn: Bool
    package let version: Int

    package init(
        raw: Track,
        cleanedAt: Instant,
        hideMetres: Int,
        secret: EndsSecret,
        isOwn: Bool,
        version: Int
    ) {
        self.raw = raw
        self.cleanedAt = cleanedAt
        self.hideMetres = hideMetres
        self.secret = secret
        self.isOwn = isOwn
        self.version = version
    }

    /// The clean way with all its data.
    package var clean: Track { CleanTrack(raw, at: cleanedAt).track }

    /// The way that the requesting user may see: for the owner the clean one, for others the part that ``HiddenEnds``
    /// leaves.
    package var seen: Track {
        let clean = clean
        return isOwn ? clean : HiddenEnds(of: clean, metres: hideMetres, secret: secret).visible(clean)
    }

    /// The track as all others would have it if they did not see the way within `metres` of its ends.
    package func forOthers(hiding metres: Int) -> CourseTrack {
        CourseTrack(
            raw: raw,
            cleanedAt: cleanedAt,
            hideMetres: metres,
            secret: secret,
            isOwn: false,
            version: version
        )
    }

    /// The way as the owner sees it, and as all others do; costs one cleaning.
    package var seenByAll: (own: Track, others: Track) {
        let clean = clean
        return (clean, HiddenEnds(of: clean, metres: hideMetres, secret: secret).visible(clean))
    }

    /// The course as others see it with the distance `metres` from its ends, with the way-points that the owner named.
    package func hiding(_ metres: Int, named: [NamedWaypoint], names: some CoursePlaces) -> CourseHiding {
        let clean = clean
        let ends = HiddenEnds(of: clean, metres: metres, secret: secret)
        return CourseHiding(
            version: version,
            hideMetres: metres,
            shape: CourseShape(CourseDetails(shared: clean, hidden: ends, names: names)),
            statistics: CourseStatistics(of: ends.left(of: clean)),
            named: NamedWaypoint.placed(named.map(\.waypoint), on: clean, hidden: ends)
        )
    }

    /// The way-points that a user names, on this way.
    package func placing(_ waypoints: [CourseWaypoint]) -> [NamedWaypoint] {
        let clean = clean
        return NamedWaypoint.placed(
            waypoints,
            on: clean,
            hidden: HiddenEnds(of: clean, metres: hideMetres, secret: secret)
        )
    }
}
