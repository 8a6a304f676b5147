import PromisedProtocol
import SwiftProtobuf

@testable import PromisedClient

/// The server's side of recordings, naively: accepts each number once, and the first finish creates the course.
struct RecordingServer {
    private(set) var recordings: [String: String] = [:]
    /// By recording and number; the first point of a number is stored.
    private(set) var points: [String: [UInt32: WireRecordedPoint]] = [:]
    private(set) var courses: [String: String] = [:]
    private(set) var discarded: Set<String> = []
    /// Numbers that were sent again with a different point.
    private(set) var reused: [UInt32] = []
    /// The rejected numbers.
    var rejects: @Sendable (WireRecordedPoint) -> Bool = { _ in false }

    /// The way of a recording: latitudes by segment, in the order of the numbers.
    func way(of recordingID: String) -> [[Double]] {
        var way: [[Double]] = []
        var segment: UInt32?
        for point in (points[recordingID] ?? [:]).values.sorted(by: { $0.seq < $1.seq }) {
            if point.segment != segment { way.append([]) }
            segment = point.segment
            way[way.count - 1].append(point.latitude)
        }
        return way
    }

    mutating func answer(_ request: WireRequest) -> WireContent {
        switch request {
        case .startRecording(let start):
            let id = recordings[start.key] ?? "r\(recordings.count + 1)"
            recordings[start.key] = id
            return .recording(.with { $0.recordingID = id })
        case .appendRecording(let append): return take(append)
        case .finishRecording(let finish):
            let id = courses[finish.recordingID] ?? "c\(courses.count + 1)"
            courses[finish.recordingID] = id
            return .course(.with { $0.courseID = id })
        case .discardRecording(let discard):
            let isNew = discarded.insert(discard.recordingID).inserted
            return isNew ? .done(WireDone()) : .error(.with { $0.code = "recording.not-found" })
        default: return .done(WireDone())
        }
    }

    private mutating func take(_ append: WireAppendRecording) -> WireContent {
        let id = append.recordingID
        guard courses[id] == nil, !discarded.contains(id), (1...200).contains(append.points.count) else {
            return .error(.with { $0.code = "recording.closed" })
        }
        var reply = WireRecorded()
        for point in append.points {
            if rejects(point) {
                reply.rejected.append(.with { ($0.seq, $0.code) = (point.seq, "position.invalid") })
                continue
            }
            if let taken = points[id]?[point.seq] {
                if taken.latitude != point.latitude { reused.append(point.seq) }
            } else {
                points[id, default: [:]][point.seq] = point
            }
            reply.taken.append(point.seq)
        }
        reply.lastSeq = points[id]?.keys.max() ?? 0
        return .recorded(reply)
    }
}

extension WireRecordedPoint {
    /// A point without number and clocks, identified by its latitude.
    static func at(_ latitude: Double) -> WireRecordedPoint {
        WireRecordedPoint.with { ($0.latitude, $0.longitude) = (latitude, 13.4) }
    }
}

extension TemporaryDirectory {
    /// A recorder's state as at the start of an app.
    func recording(limit: Int = 1_000, time: TestTime) throws -> RecordingMachine {
        RecordingMachine(try RecordingStore(directory: path, limit: limit, time: time))
    }

    var recordingJournal: String { path + "/recording.journal" }
}

extension RecordingHead {
    static func test(_ time: TestTime, key: String = "k") -> RecordingHead {
        RecordingHead(boot: time.boot ?? "", key: key, activity: 3, startedMs: time.wallMs)
    }
}
