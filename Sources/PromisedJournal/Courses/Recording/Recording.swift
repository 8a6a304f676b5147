package import PromisedDomain

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

/// A way being recorded outside a promise, without its points: the state stored between two requests. Only
/// ``RecordingMachine`` changes it.
package struct Recording: Hashable, Sendable {
    /// The maximum number of open recordings per user.
    package static let openLimit = 3
    /// The maximum number of points: as many as a track of a file, a day at one per second. To show a way, all of them
    /// are loaded.
    package static let mostPoints = 100_000
    /// The maximum number of devices that send points of one recording.
    package static let mostDevices = 16
    /// The maximum number of ranges that the numbers of its points form, over all devices: each batch reads and writes
    /// them.
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
        /// The numbers of the accepted points.
        package var taken = SequenceSet()
        /// The greatest of them.
        package var lastSeq: UInt32 = 0
        /// The point up to which ``Recording/distanceMetres`` counts the device's way.
        package var lastCounted: TrackPoint?

        package init() {}
    }

    package let id: RecordingID
    /// The user's means of moving.
    package var activity: Activity
    /// The title of the future course, at most 60 characters; empty without one.
    package var title: String
    /// When it was started.
    package let startedAt: Instant
    package var state = State.recording
    /// When a point was last accepted; initially when the recording was started.
    package var lastTakenAt: Instant
    /// The time of the latest point; nil without points.
    package var lastPointAt: Instant?
    /// The number of accepted points.
    package var points = 0
    /// The length in metres: an estimate that misses late points, and that of the course once finished.
    package var distanceMetres = 0.0
    /// The devices that sent points, by device id.
    package var devices: [String: Device] = [:]
    /// The course it has become.
    package var courseID: CourseID?

    package init(id: RecordingID, activity: Activity, title: String = "", startedAt: Instant) {
        self.id = id
        self.activity = activity
        self.title = title
        self.startedAt = startedAt
        lastTakenAt = startedAt
    }

    /// The greatest number of an accepted point, over all devices; 0 without one.
    package var lastSeq: UInt32 { devices.values.lazy.map(\.lastSeq).max() ?? 0 }
}
