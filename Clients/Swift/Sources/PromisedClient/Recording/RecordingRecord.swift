internal import PromisedProtocol

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One entry of the file that preserves a recording across restarts: one byte for the kind, then the content as below.
enum RecordingRecord: JournalEntry {
    /// Kind 1: the recording as it is now, in JSON.
    case head(RecordingHead)
    /// Kind 2: a point was recorded, as an `appendRecording` frame of Protocol Buffers.
    case point(WireRecordedPoint)
    /// Kinds 3 to 5: points were removed from the queue; four bytes for each `seq`.
    case settled([UInt32], SettledReason)

    /// A memo of 2,000 characters has up to 16,000 bytes, and escaped in JSON up to six times as many.
    static let payloadLimit = 131_072

    var payload: [UInt8]? {
        switch self {
        case .head(let head):
            guard let json = try? JSONEncoder().encode(head) else {
                // JSON cannot represent this clock reading; no system has one.
                return nil
            }
            return [1] + json
        case .point(let point):
            var request = WireAppendRecording()
            request.points = [point]
            return WireRequest.appendRecording(request).journalBytes.map { [2] + $0 }
        case .settled(let seqs, let reason): return [reason.rawValue] + seqs.journalBytes
        }
    }

    init?(payload: ArraySlice<UInt8>) {
        guard let kind = payload.first else { return nil }
        let body = payload.dropFirst()
        switch kind {
        case 1:
            guard let head = try? JSONDecoder().decode(RecordingHead.self, from: Data(body)) else {
                // Not written by this client.
                return nil
            }
            self = .head(head)
        case 2:
            guard case .appendRecording(let request)? = WireRequest(journalBytes: body),
                let point = request.points.first
            else { return nil }
            self = .point(point)
        default:
            guard let reason = SettledReason(rawValue: kind), let seqs = [UInt32](journalBytes: body) else {
                return nil
            }
            self = .settled(seqs, reason)
        }
    }
}

/// The content of a recording's journal.
struct RecordingContents: Sendable {
    /// Nil without a recording.
    private(set) var head: RecordingHead?
    private(set) var end = JournalEnd.whole
    /// The number of bytes after the last valid record.
    private(set) var lostCount = 0
    /// Ascending by `seq`.
    private(set) var points: [WireRecordedPoint] = []
    /// An upper bound, in bytes, of the record of a point, or of those that one request settles.
    private static let tornLimit = 1_024

    /// Reads up to the first invalid record; never fails.
    init(_ bytes: [UInt8]) {
        var reader = JournalReader<RecordingRecord>(bytes)
        var settled: Set<UInt32> = []
        while let record = reader.next() {
            switch record {
            case .head(let head):
                // The end of the previous recording could not be written.
                if head.key != self.head?.key { (points, settled) = ([], []) }
                self.head = head
            case .settled(let seqs, let reason):
                settled.formUnion(seqs)
                head?.counts.count(seqs.count, reason)
                // The point itself may be missing if the disk was full.
                head?.use(seqs.last ?? 0)
            case .point(let point):
                // This client writes only rising numbers.
                guard head != nil, point.seq > points.last?.seq ?? 0 else { continue }
                head?.use(point.seq)
                points.append(point)
            }
        }
        points.removeAll { settled.contains($0.seq) }
        lostCount = reader.lostCount
        // A rest longer than a point is not one torn record but many behind a broken length.
        end = reader.end == .torn && lostCount > Self.tornLimit ? .corrupt : reader.end
    }
}
