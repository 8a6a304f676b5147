public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of a recording on this device.
public struct RecordingStatus: Hashable, Sendable {
    /// The state.
    public let phase: RecordingPhase
    /// The user's activity.
    public let activity: WireActivity.Value
    /// The title; nil if the user gave none.
    public let title: String?
    /// The device's wall clock at the start.
    public let startedAt: Date
    /// The server's id; nil until the server has answered.
    public let recordingID: String?
    /// The number of pending points.
    public let waitingCount: Int
    /// The settled and dropped points.
    public let counts: RecordingCounts

    /// Nil without a recording.
    init?(_ store: RecordingStore) {
        guard let head = store.head else { return nil }
        phase = head.phase
        activity = WireActivity.Value(rawValue: head.activity) ?? .unspecified
        title = head.title
        startedAt = Date(timeIntervalSince1970: head.startedMs / 1_000)
        recordingID = head.recordingID.isEmpty ? nil : head.recordingID
        waitingCount = store.queue.count
        counts = head.counts
    }
}

/// A recorder's notice for the app.
public enum RecorderNotice: Hashable, Sendable {
    /// The server has created the recording.
    case started(WireRecording)
    /// The server's reply about points.
    case recorded(WireRecorded)
    /// The server refused a request; `givenUp` points were dropped for it, the others remain pending.
    case refused(WireErrorReply, givenUp: Int)
    /// The queue was full; this number of the oldest points was dropped.
    case overflowed(Int)
    /// The queue could not be written to disk; it continues in memory.
    case storageFailed(FixStoreError)
    /// The queue's file was damaged: it was moved to `path`, and its readable part is used.
    case damaged(path: String)
    /// The recording is a course now.
    case finished(WireCourse)
    /// The recording is deleted.
    case discarded
}
