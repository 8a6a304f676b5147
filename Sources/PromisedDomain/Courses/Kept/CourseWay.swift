/// The parts of ``CourseDetails`` that lists show; kept with the course, so that a list reads no points.
package struct CourseShape: Hashable, Sendable {
    /// At most 200 points, as polylines of precision 5, one for each segment.
    package var outlines: [String]
    /// The smallest box around the way; nil if nothing of it is seen.
    package var box: Box?
    /// The way-points that the server chose; of their places the name and the point alone, because the course is a copy.
    package var waypoints: [CourseWaypoint]
    /// The stops; empty for others.
    package var stops: [CourseStop]

    /// A shape; by default that of a course that is hidden wholly.
    package init(
        outlines: [String] = [],
        box: Box? = nil,
        waypoints: [CourseWaypoint] = [],
        stops: [CourseStop] = []
    ) {
        self.outlines = outlines
        self.box = box
        self.waypoints = waypoints
        self.stops = stops
    }

    /// The shape of details.
    package init(_ details: CourseDetails) {
        let waypoints = details.waypoints.map { waypoint in
            var copy = waypoint
            copy.place = Place(name: waypoint.name, coordinate: waypoint.place.coordinate)
            return copy
        }
        self.init(
            outlines: details.outlines,
            box: details.box,
            waypoints: waypoints,
            stops: details.stops
        )
    }
}

/// Everything kept with a course that follows from its points.
package struct CourseWay: Hashable, Sendable {
    /// When the points were cleaned: cleaning them as of then gives the same way again.
    package let cleanedAt: Instant
    /// The time of the earliest point; nil without times, and for others.
    package internal(set) var startedAt: Instant?
    /// The numbers about the clean way; for others about the part that they see: those of the whole would tell how far it
    /// is from there to the ends.
    package internal(set) var statistics: CourseStatistics
    /// The way as its user sees it.
    package internal(set) var shape: CourseShape
    /// The way as others see it.
    package internal(set) var hidden: CourseShape
    /// The numbers about the part that others see.
    package internal(set) var hiddenStatistics: CourseStatistics

    /// A way with all its fields; for the store.
    package init(
        cleanedAt: Instant,
        startedAt: Instant?,
        statistics: CourseStatistics,
        shape: CourseShape,
        hidden: CourseShape,
        hiddenStatistics: CourseStatistics = CourseStatistics()
    ) {
        self.cleanedAt = cleanedAt
        self.startedAt = startedAt
        self.statistics = statistics
        self.shape = shape
        self.hidden = hidden
        self.hiddenStatistics = hiddenStatistics
    }

    /// The way through points as they were recorded; takes 150 ms for 100,000 of them.
    ///
    /// - Parameters:
    ///   - raw: the points, uncleaned.
    ///   - hideMetres: others do not see the way this near to its ends.
    ///   - secret: that of the user whose course it will be.
    ///   - names: names way-points and stops.
    ///   - now: the moment of the cleaning.
    package init(
        _ raw: Track,
        hiding hideMetres: Int = HiddenEnds.defaultMetres,
        secret: EndsSecret,
        names: some CoursePlaces,
        at now: Instant
    ) {
        let clean = CleanTrack(raw, at: now)
        let ends = HiddenEnds(of: clean.track, metres: hideMetres, secret: secret)
        self.init(
            cleanedAt: now,
            startedAt: clean.track.startedAt,
            statistics: CourseStatistics(of: clean),
            shape: CourseShape(CourseDetails(own: clean.track, names: names)),
            hidden: CourseShape(CourseDetails(shared: clean.track, hidden: ends, names: names)),
            hiddenStatistics: CourseStatistics(of: ends.left(of: clean.track))
        )
    }
}

extension CourseLimits {
    /// Checks that a user who has `courses` with `points` together may add ways. Throws `courseTooShort` for one with
    /// fewer counted points than ``RecordingMachine/fewestPoints``, `courseLimit`.
    package static func check(adding ways: [CourseWay], to courses: Int, points: Int) throws(Refusal) {
        guard ways.allSatisfy({ $0.statistics.counted >= RecordingMachine.fewestPoints }) else {
            throw .courseTooShort
        }
        let added = ways.reduce(0) { $0 + $1.statistics.points + $1.statistics.dropped }
        guard courses + ways.count <= CourseLimits.courses, points + added <= CourseLimits.points else {
            throw .courseLimit
        }
    }
}
