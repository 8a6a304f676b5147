internal import PromisedDomain
internal import PromisedJournal
internal import PromisedStore

/// An item of `folders.json`.
struct ExportedFolder: Encodable {
    var folderId: String
    var version: Int
    var title: String
    var emoji: String
    var courses: Int
    var distanceMetres: Double
    var changedAt: String

    init(_ overview: FolderOverview) {
        let folder = overview.folder
        folderId = "\(folder.id)"
        version = folder.version
        title = folder.title
        emoji = folder.emoji
        courses = overview.courses
        distanceMetres = overview.distanceMetres
        changedAt = folder.changedAt.rfc3339
    }
}

/// An item of `courses.json`; its points are in `file`.
struct ExportedCourse: Encodable {
    var courseId: String
    var version: Int
    var file: String
    var folderId: String?
    var source: String
    var promiseId: String?
    var title: String
    var memo: String
    var activity: String
    var startedAt: String?
    var changedAt: String
    var statistics: Statistics
    var waypoints: [Waypoint]
    var stops: [Stop]
    var photos: [ExportedPhoto]
    var audience: String
    var people: [ExportedCard]
    var hideMetres: Int
    var attribution: Attribution?

    struct Statistics: Encodable {
        var points: Int
        var dropped: Int
        var distanceMetres: Double
        var durationMs: Int64
        var movingMs: Int64
        var topSpeedMps: Double?
        var ascentMetres: Double?
        var descentMetres: Double?
        var minAltitudeMetres: Double?
        var maxAltitudeMetres: Double?
    }

    struct Waypoint: Encodable {
        var name: String
        var place: ExportedPlace
        var kind: String
        var atMetres: Double
    }

    struct Stop: Encodable {
        var place: ExportedPlace
        var from: String
        var to: String
    }

    struct Attribution: Encodable {
        var source: String
        var licence: String
    }

    init(_ course: Course, file: String, files: [FileID: StoredFile], cards: [UserID: UserCard]) {
        courseId = "\(course.id)"
        version = course.version
        self.file = file
        folderId = course.home.map { "\($0.folderID)" }
        source = ExportName.value(course.source)
        promiseId = course.promiseID.map { "\($0)" }
        title = course.notes.title
        memo = course.notes.memo
        activity = ExportName.value(course.notes.activity)
        startedAt = course.way.startedAt?.rfc3339
        changedAt = course.changedAt.rfc3339
        statistics = Statistics(course.way.statistics)
        waypoints = course.waypoints.map(Waypoint.init)
        stops = course.way.shape.stops.map(Stop.init)
        photos = course.notes.photos.map { ExportedPhoto($0, files: files) }
        audience = ExportName.value(course.sharing.audience)
        people = course.sharing.people.map { ExportedCard($0, in: cards) }
        hideMetres = course.sharing.hideMetres
        attribution = course.attribution.map { Attribution(source: $0.source, licence: $0.licence) }
    }
}

extension ExportedCourse.Statistics {
    fileprivate init(_ statistics: CourseStatistics) {
        self.init(
            points: statistics.points,
            dropped: statistics.dropped,
            distanceMetres: statistics.distanceMetres,
            durationMs: statistics.duration.milliseconds,
            movingMs: statistics.moving.milliseconds,
            topSpeedMps: statistics.topSpeedMps,
            ascentMetres: statistics.ascentMetres,
            descentMetres: statistics.descentMetres,
            minAltitudeMetres: statistics.minAltitudeMetres,
            maxAltitudeMetres: statistics.maxAltitudeMetres
        )
    }
}

extension ExportedCourse.Waypoint {
    fileprivate init(_ waypoint: CourseWaypoint) {
        self.init(
            name: waypoint.name,
            place: ExportedPlace(waypoint.place),
            kind: ExportName.value(waypoint.kind),
            atMetres: waypoint.atMetres
        )
    }
}

extension ExportedCourse.Stop {
    fileprivate init(_ stop: CourseStop) {
        self.init(place: ExportedPlace(stop.place), from: stop.from.rfc3339, to: stop.to.rfc3339)
    }
}

/// An item of `recordings.json`, whose points follow in `track`.
struct ExportedRecording: Encodable {
    var recordingId: String
    var state: String
    var activity: String
    var title: String
    var points: Int
    var lastSeq: UInt32
    var distanceMetres: Double
    var startedAt: String
    var lastPointAt: String?

    init(_ recording: Recording) {
        recordingId = "\(recording.id)"
        state = ExportName.value(recording.state)
        activity = ExportName.value(recording.activity)
        title = recording.title
        points = recording.points
        lastSeq = recording.lastSeq
        distanceMetres = recording.distanceMetres
        startedAt = recording.startedAt.rfc3339
        lastPointAt = recording.lastPointAt?.rfc3339
    }
}

struct ExportedPoint: Encodable {
    var segment: Int
    var latitude: Double
    var longitude: Double
    var altitudeMetres: Double?
    var at: String?
    var accuracyMetres: Double?
    var speedMps: Double?

    init(_ point: TrackPoint) {
        segment = point.segment
        latitude = point.coordinate.latitude
        longitude = point.coordinate.longitude
        altitudeMetres = point.altitudeMetres
        at = point.time?.rfc3339
        accuracyMetres = point.accuracyMetres
        speedMps = point.speedMps
    }
}
