/// The state of a recording on this device.
public enum RecordingPhase: String, Codable, Hashable, Sendable {
    /// Points are recorded.
    case recording
    /// Points are ignored until it is resumed.
    case paused
    /// It becomes a course once the server has all points.
    case finishing
    /// It is deleted once the server has confirmed.
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

    /// The system's name of the device's run; empty without one.
    var boot: String
    var phase = RecordingPhase.recording
    /// The idempotency key of the recording.
    var key: String
    /// The number of a ``WireActivity/Value``.
    var activity: Int
    var title: String?
    /// The wall clock at the start, in milliseconds.
    var startedMs: Double
    /// `true` once the server may know of the recording.
    var isStartSent = false
    /// Empty until the server has assigned it.
    var recordingID = ""
    /// The segment of the next point.
    var segment: UInt32 = 0
    var lastSeq: UInt32 = 0
    /// After a power loss, numbering continues above this number: those up to it may be used.
    var reservedThrough: UInt32 = 0
    /// How many points were removed from the queue, and why.
    var counts = RecordingCounts()
    /// The fields for finishing; nil before.
    var finish: Finish?

    /// Records a used number.
    mutating func use(_ seq: UInt32) { lastSeq = max(lastSeq, seq) }
}

/// How many points of a recording were removed from the device's queue, and why.
public struct RecordingCounts: Codable, Hashable, Sendable {
    /// Accepted by the server.
    public internal(set) var taken = 0
    /// Rejected by the server.
    public internal(set) var rejected = 0
    /// Dropped because the queue was full.
    public internal(set) var dropped = 0

    /// Creates counts at zero.
    public init() {}

    mutating func count(_ count: Int, _ reason: SettledReason) {
        switch reason {
        case .taken: taken += count
        case .rejected: rejected += count
        case .dropped: dropped += count
        }
    }
}

/// The reason that points were removed from the queue.
enum SettledReason: UInt8, CaseIterable, Sendable {
    case taken = 3
    case rejected = 4
    case dropped = 5
}
