internal import PromisedAccess
internal import PromisedDomain
internal import PromisedFormats

/// The courses that the tracks and routes of a GPX file make.
struct GPXCourses: Sendable {
    private static let untitled = BilingualName(english: "Course", korean: "코스")

    /// The courses in the order of the file; those with fewer than two counted points are left out.
    private(set) var drafts: [CourseDraft] = []
    /// The number of points without a position, and of tracks that are left out.
    private(set) var dropped = 0
    /// The reason for which the file is refused; nil if it was read.
    private(set) var problem: GPXError?

    /// Reads a file. Takes as long as ``CourseWay/init(_:hiding:names:at:)`` for each track.
    init(
        _ bytes: [UInt8],
        _ activity: Activity,
        language: BilingualName.Language,
        names: some CoursePlaces,
        at now: Instant
    ) {
        let file: GPXFile
        do throws(GPXError) {
            file = try GPXFile(bytes)
        } catch {
            problem = error
            return
        }
        dropped = file.droppedCount
        // The way-points of the file belong to its first course.
        var waypoints = file.document.waypoints.prefix(CourseWaypoint.limit).map(CourseWaypoint.init)
        for track in file.document.tracks {
            let title = [track.name, file.document.name].lazy.compactMap { TextRule.title.fitting($0) }.first
            let draft = CourseDraft(
                source: .file,
                notes: CourseNotes(
                    title: title ?? GPXCourses.untitled[language],
                    memo: TextRule.memo.fitting(track.description) ?? "",
                    activity: activity
                ),
                raw: Track(track),
                waypoints: waypoints,
                names: names,
                at: now
            )
            guard draft.way.statistics.counted >= RecordingMachine.fewestPoints else {
                dropped += 1
                continue
            }
            drafts.append(draft)
            waypoints = []
        }
    }
}

extension Track {
    /// The points of a track as the file has them. A dilution is no accuracy, so it is left out.
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
