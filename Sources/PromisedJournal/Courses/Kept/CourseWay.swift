package import PromisedDomain
package import PromisedPlaces

/// The parts of ``CourseDetails`` that lists show; stored with the course, so that a list reads no points.
package struct CourseShape: Hashable, Sendable {
    /// At most 200 points, as polylines of precision 5, one for each segment.
    package var outlines: [String]
    /// The bounding box of the way; nil if it is entirely hidden.
    package var box: Box?
    /// The way-points that the server chose. Of their places only name and point are stored, because the course is a
    /// copy.
    package var waypoints: [CourseWaypoint]
    /// The stops; empty for others.
    package var stops: [CourseStop]

    /// A shape; by default that of an entirely hidden course.
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

/// The stored data of a course that is derived from its points.
package struct CourseWay: Hashable, Sendable {
    /// When the points were cleaned: cleaning them with this time again yields the same way.
    package let cleanedAt: Instant
    /// The time of the earliest point; nil without times, and for others.
    package internal(set) var startedAt: Instant?
    /// The statistics of the clean way; for others, of the visible part, because those of the whole would reveal the
    /// distance to the ends.
    package internal(set) var statistics: CourseStatistics
    /// The way as the owner sees it.
    package internal(set) var shape: CourseShape
    /// The way as others see it.
    package internal(set) var hidden: CourseShape
    /// The statistics of the part that others see.
    package internal(set) var hiddenStatistics: CourseStatistics

    /// Creates a way from stored fields.
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
    ///   - hideMetres: the way is hidden from others within this distance of its ends.
    ///   - secret: the secret of the future owner.
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
    /// Checks that a user with `courses` courses and `points` points in total may add ways. Throws `courseTooShort` for
    /// one with fewer counted points than ``RecordingMachine/fewestPoints``, `courseLimit`.
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
