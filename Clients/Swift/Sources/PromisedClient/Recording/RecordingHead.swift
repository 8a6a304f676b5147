/// The state of a recording on this device.
public enum RecordingPhase: String, Codable, Hashable, Sendable {
    /// It takes points.
    case recording
    /// It takes none until it is resumed.
    case paused
    /// It becomes a course once the server has all points.
    case finishing
    /// It is deleted once the server knows.
    case discarding
}

/// A recording besides its points.
struct RecordingHead: Codable, Hashable, Sendable {
    /// The user's title and folder for the course that the recording becomes.
    struct Finish: Codable, Hashable, Sendable {
        struct Photo: Codable, Hashable, Sendable {
            var fileID: String
            var caption: String
        }

        var title: String?
        var memo: String?
        var folderID: String?
        var photos: [Photo] = []
    }

    /// The system's own name of the device's run; empty if it has none.
    var boot: String
    var phase = RecordingPhase.recording
    /// Makes the recording once, however often it is started.
    var key: String
    /// The number of a ``WireActivity/Value``.
    var activity: Int
    var title: String?
    /// The wall clock at the start, in milliseconds.
    var startedMs: Double
    /// `true` once the server may know of the recording.
    var isStartSent = false
    /// Empty until the server has named it.
    var recordingID = ""
    /// The segment of the next point.
    var segment: UInt32 = 0
    var lastSeq: UInt32 = 0
    /// After a power loss numbers continue above this one: those up to it may be taken.
    var reservedThrough: UInt32 = 0
    /// How many points left the queue, and why.
    var counts = RecordingCounts()
    /// The fields for finishing; nil before.
    var finish: Finish?

    /// A number is taken.
    mutating func use(_ seq: UInt32) { lastSeq = max(lastSeq, seq) }
}

/// How many points of a recording left the device's queue, and why.
public struct RecordingCounts: Codable, Hashable, Sendable {
    /// The server has them.
    public internal(set) var taken = 0
    /// The server rejected them.
    public internal(set) var rejected = 0
    /// The queue was full.
    public internal(set) var dropped = 0

    /// No points.
    public init() {}

    mutating func count(_ count: Int, _ reason: SettledReason) {
        switch reason {
        case .taken: taken += count
        case .rejected: rejected += count
        case .dropped: dropped += count
        }
    }
}

/// Why points left the queue.
enum SettledReason: UInt8, CaseIterable, Sendable {
    case taken = 3
    case rejected = 4
    case dropped = 5
}
