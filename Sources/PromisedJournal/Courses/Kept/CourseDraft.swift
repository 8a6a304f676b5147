package import PromisedDomain

/// A course to be stored, with cleaned texts.
package struct CourseDraft: Hashable, Sendable {
    /// The origin of the course.
    package var source: Course.Source
    /// The promise of the way.
    package var promiseID: PromiseID?
    /// Words and photos; see ``isTitleChosen``.
    package var notes: CourseNotes
    /// `true` if the user chose the title: a duplicate in the folder is refused. Otherwise a number is added to a
    /// duplicate.
    package var isTitleChosen: Bool
    /// The points as they were recorded.
    package var raw: Track
    /// The data derived from them.
    package var way: CourseWay
    /// The way-points that the file or the copied course names.
    package var named: [NamedWaypoint]
    /// The source, if a third party's terms apply.
    package var attribution: CourseAttribution?

    package init(
        source: Course.Source,
        promiseID: PromiseID? = nil,
        notes: CourseNotes,
        isTitleChosen: Bool = false,
        raw: Track,
        way: CourseWay,
        named: [NamedWaypoint] = [],
        attribution: CourseAttribution? = nil
    ) {
        self.source = source
        self.promiseID = promiseID
        self.notes = notes
        self.isTitleChosen = isTitleChosen
        self.raw = raw
        self.way = way
        self.named = named
        self.attribution = attribution
    }

    /// Creates a draft from a way and the way-points of a file, with the secret of the future owner. Takes as long as
    /// ``CourseWay/init(_:hiding:secret:names:at:)``.
    package init(
        source: Course.Source,
        promiseID: PromiseID? = nil,
        notes: CourseNotes,
        isTitleChosen: Bool = false,
        raw: Track,
        waypoints: [CourseWaypoint] = [],
        secret: EndsSecret,
        names: some CoursePlaces,
        at now: Instant
    ) {
        let way = CourseWay(raw, secret: secret, names: names, at: now)
        var named: [NamedWaypoint] = []
        if !waypoints.isEmpty {
            let clean = CleanTrack(raw, at: now).track
            let ends = HiddenEnds(of: clean, metres: HiddenEnds.defaultMetres, secret: secret)
            named = NamedWaypoint.placed(waypoints, on: clean, hidden: ends)
        }
        self.init(
            source: source,
            promiseID: promiseID,
            notes: notes,
            isTitleChosen: isTitleChosen,
            raw: raw,
            way: way,
            named: named
        )
    }

    /// Copies a course as a user sees it: title, memo, activity, the visible way and its named way-points. Photos and
    /// the owner's name are not copied: the files belong to the original alone.
    ///
    /// - Parameters:
    ///   - course: the course, by ``Course/seen(by:)``.
    ///   - track: its points, for the same user.
    ///   - secret: the secret of the copying user.
    package init(
        copying course: Course,
        _ track: CourseTrack,
        secret: EndsSecret,
        names: some CoursePlaces,
        at now: Instant
    ) {
        var notes = course.notes
        notes.photos = []
        self.init(
            source: .copy,
            notes: notes,
            raw: track.seen,
            waypoints: course.named.map(\.waypoint),
            secret: secret,
            names: names,
            at: now
        )
        attribution = course.attribution
    }

    /// Checks texts and way-points; a title that the user did not choose may be too long. Throws `invalid` with the
    /// field.
    package func check() throws(Refusal) {
        var notes = notes
        if !isTitleChosen { notes.title = String(notes.title.prefix(CourseLimits.title.upperBound)) }
        try notes.check()
        try NamedWaypoint.check(named)
        try attribution?.check()
    }
}

extension Course {
    /// Creates a course from a validated draft.
    ///
    /// - Parameters:
    ///   - title: the title, free in the folder.
    ///   - home: the owner and the folder; nil for a recommended course.
    package init(_ draft: CourseDraft, id: CourseID, title: String, in home: Home?, at now: Instant) {
        var (notes, way, named) = (draft.notes, draft.way, draft.named)
        notes.title = title
        if home == nil {
            // A recommended course hides only times.
            way.hidden = way.shape
            way.hidden.stops = []
            way.hiddenStatistics = way.statistics
            named = named.map { NamedWaypoint($0.waypoint, othersAtMetres: $0.waypoint.atMetres) }
        }
        self.init(
            id: id,
            home: home,
            source: draft.source,
            promiseID: draft.promiseID,
            notes: notes,
            way: way,
            named: named,
            sharing: home == nil ? CourseSharing(hideMetres: 0) : CourseSharing(),
            attribution: draft.attribution,
            changedAt: now
        )
    }
}
