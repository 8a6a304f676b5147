/// Names a recording.
package typealias RecordingID = ID<Recording>

/// A means of moving along a course.
package enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot.
    case walk
    /// Running.
    case run
    /// On a bicycle.
    case ride
    /// In a vehicle.
    case drive
    /// Any other way.
    case other
}

/// A way that is being recorded outside a promise, without its points: all that the store keeps of it between two
/// requests. Changed by ``RecordingMachine`` alone.
package struct Recording: Hashable, Sendable {
    /// How many of a user may be open.
    package static let openLimit = 3
    /// How many points one may have: as many as a track of a file, a day at one a second. To show a way takes all of them
    /// at once.
    package static let mostPoints = 100_000
    /// How many devices may send points of one.
    package static let mostDevices = 16
    /// How many ranges the numbers of its points may form, of all devices together: each batch reads and writes them.
    package static let mostRanges = 10_000

    /// The stages of a recording.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Points arrive.
        case recording
        /// No point has arrived for 6 h; any later one continues it.
        case interrupted
        /// It has become a course.
        case finished
    }

    /// The progress of one device, through its restarts.
    package struct Device: Hashable, Sendable {
        /// The numbers of the points that were taken.
        package var taken = SequenceSet()
        /// The greatest of them.
        package var lastSeq: UInt32 = 0
        /// The point up to which ``Recording/distanceMetres`` counts the device's way.
        package var lastCounted: TrackPoint?

        /// A device that has sent nothing.
        package init() {}
    }

    /// Its name.
    package let id: RecordingID
    /// The user's means of moving.
    package var activity: Activity
    /// The title of the course to be, at most 60 characters; empty without one.
    package var title: String
    /// When it was started.
    package let startedAt: Instant
    /// Its stage.
    package var state = State.recording
    /// When a point was last taken, at first when it was started.
    package var lastTakenAt: Instant
    /// The time of the latest point; nil without points.
    package var lastPointAt: Instant?
    /// How many points were taken.
    package var points = 0
    /// The length in metres: an estimate that misses late points, and that of the course once finished.
    package var distanceMetres = 0.0
    /// The devices that sent points, by device id.
    package var devices: [String: Device] = [:]
    /// The course it has become.
    package var courseID: CourseID?

    /// A recording that was started at an instant.
    package init(id: RecordingID, activity: Activity, title: String = "", startedAt: Instant) {
        self.id = id
        self.activity = activity
        self.title = title
        self.startedAt = startedAt
        lastTakenAt = startedAt
    }

    /// The greatest number of a point that was taken, of all devices; 0 without one.
    package var lastSeq: UInt32 { devices.values.lazy.map(\.lastSeq).max() ?? 0 }
}
