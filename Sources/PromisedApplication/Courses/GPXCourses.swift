internal import PromisedAccess
internal import PromisedDomain
internal import PromisedFormats
internal import PromisedJournal
internal import PromisedPlaces

/// The tracks and routes of a GPX file, converted to courses one by one: each is a piece of work.
struct GPXCourses: Sendable {
    private static let untitled = BilingualName(english: "Course", korean: "코스")

    private let file: GPXFile

    init(_ bytes: [UInt8]) throws(GPXError) { file = try GPXFile(bytes) }

    /// How many tracks and routes there are.
    var count: Int { file.document.tracks.count }

    /// The number of points and way-points without a position.
    var dropped: Int { file.droppedCount }

    /// The line on which the file breaks off; nil if it is complete.
    var brokenOffLine: Int? { file.brokenOffLine }

    /// The course of the track or route at an index; nil if it has fewer than two counted points. Takes the time of
    /// ``CourseWay/init(_:hiding:secret:names:at:)``.
    ///
    /// - Parameter hasWaypoints: `true` for the first course of the file, which gets the file's way-points.
    func draft(
        at index: Int,
        _ activity: Activity,
        hasWaypoints: Bool,
        language: BilingualName.Language,
        secret: EndsSecret,
        names: some CoursePlaces,
        now: Instant
    ) -> CourseDraft? {
        let track = file.document.tracks[index]
        let title = [track.name, file.document.name].lazy.compactMap { TextRule.title.fitting($0) }.first
        let waypoints = hasWaypoints ? file.document.waypoints.prefix(CourseWaypoint.limit) : []
        let draft = CourseDraft(
            source: .file,
            notes: CourseNotes(
                title: title ?? GPXCourses.untitled[language],
                memo: TextRule.memo.fitting(track.description) ?? "",
                activity: activity
            ),
            raw: Track(track),
            waypoints: waypoints.map(CourseWaypoint.init),
            secret: secret,
            names: names,
            at: now
        )
        return draft.way.statistics.counted >= RecordingMachine.fewestPoints ? draft : nil
    }

    /// A sentence for a user whose file contains no course: what the file contains instead.
    var reason: String {
        let points = file.document.tracks.reduce(0) { $0 + $1.segments.joined().count }
        if points < RecordingMachine.fewestPoints, let problem = file.problems.sentence {
            return "The file makes no course. \(problem)."
        }
        if count == 0 {
            let waypoints = file.document.waypoints.count
            let found = waypoints == 0 ? "no points" : "only \(waypoints) way-points"
            return "The file has \(found), and neither a track nor a route: export the way as a track."
        }
        if points == 0 { return "The tracks and routes of the file have no points." }
        return "The ways of the file are too short: a course needs two points that are 5 m apart."
    }
}

extension CourseWork {
    /// The drafts of the courses in a GPX file, in order, the number of omitted points and ways, and the line on which
    /// the file breaks off, if it does. Reading the file is one piece of work, and so is each way.
    ///
    /// - Parameter userID: the user whose turn the work uses; nil for the operator.
    /// - Throws: `trackMalformed` with the line, `courseTooShort` with the file's actual content, both for `field`;
    ///   `unavailable`.
    func drafts(
        of bytes: [UInt8],
        _ activity: Activity,
        inTurnOf userID: UserID?,
        in language: BilingualName.Language,
        field: String,
        at now: Instant
    ) async throws -> (drafts: [CourseDraft], dropped: Int, brokenOffLine: Int?) {
        let result = try await run(inTurnOf: userID) { () -> Result<GPXCourses, GPXError> in
            Result { () throws(GPXError) in try GPXCourses(bytes) }
        }
        let courses: GPXCourses
        switch result {
        case .success(let read): courses = read
        case .failure(let problem):
            throw ApplicationError.refused(.trackMalformed, field: field, message: "The file is not read: \(problem).")
        }
        let secret = try await secret(of: userID)
        var (drafts, dropped) = ([CourseDraft](), courses.dropped)
        for index in 0..<courses.count {
            let isFirst = drafts.isEmpty
            let draft = try await run(inTurnOf: userID, in: language) { names in
                courses.draft(
                    at: index,
                    activity,
                    hasWaypoints: isFirst,
                    language: language,
                    secret: secret,
                    names: names,
                    now: now
                )
            }
            if let draft { drafts.append(draft) } else { dropped += 1 }
        }
        guard !drafts.isEmpty else {
            throw ApplicationError.refused(.courseTooShort, field: field, message: courses.reason)
        }
        return (drafts, dropped, courses.brokenOffLine)
    }
}

extension Track {
    /// The points of a track as in the file. Omits dilution, which is not an accuracy.
    init(_ track: GPXDocument.Track) {
        self.init(
            track.segments.enumerated().lazy.flatMap { number, points in
                points.map {
                    TrackPoint($0.coordinate, altitudeMetres: $0.elevation, time: $0.time, segment: number)
                }
            }
        )
    }
}

extension CourseWaypoint {
    fileprivate init(_ waypoint: GPXDocument.Waypoint) {
        let name = TextRule.waypointName(at: 0).fitting(waypoint.name) ?? ""
        self.init(name: name, place: Place(name: name, coordinate: waypoint.coordinate), kind: .note, atMetres: 0)
    }
}
