import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol

/// A user who records a way, saves it as a course, deletes the course, and starts again.
///
/// Does not use `CourseRecorder`, whose queue is on the same disk as the server's data.
struct RecordingUser: Sendable {
    /// The time between two batches, in seconds: also the number of points per batch, one per second.
    static let batchSeconds = 5
    /// The most batches of a recording.
    static let mostBatches = 12
    /// Metres per second, on foot.
    private static let speed = 1.4
    private static let accuracyMetres = 5.0

    private let client: PromisedClient
    private let place: Coordinate
    private let record: BackgroundRecord

    init(_ client: PromisedClient, place: Coordinate, record: BackgroundRecord) {
        self.client = client
        self.place = place
        self.record = record
    }

    /// Records until a moment. Users begin and finish at different times.
    func work(until end: LoadTime) async {
        var start = LoadTime.now + .milliseconds(Int.random(in: 0..<Self.batchSeconds * 1_000))
        var batches = Int.random(in: 2...Self.mostBatches)
        while LoadTime.now < end, !Task.isCancelled {
            do throws(ClientError) {
                try await PacedCaller.pause(until: min(start, end))
                try await makeCourse(batches, from: start, until: end)
                start = start + .seconds(batches * Self.batchSeconds)
            } catch {
                record.fail("recording", error)
                start = .now + .seconds(Self.batchSeconds)
            }
            batches = Self.mostBatches
        }
    }

    // MARK: - Internals

    /// Records a way from a moment on, and discards it if there is not enough time.
    private func makeCourse(_ batches: Int, from start: LoadTime, until end: LoadTime) async throws(ClientError) {
        guard start < end else { return }
        let recording = try await client.startRecording(key: UUID().uuidString, activity: .walk).recordingID
        do throws(ClientError) {
            for batch in 1...batches {
                let due = start + .seconds(batch * Self.batchSeconds)
                try await PacedCaller.pause(until: min(due, end))
                guard due < end else { return try await client.discardRecording(recordingID: recording) }
                try await append(batch, to: recording, measuredAt: due)
            }
            let course = try await client.finishRecording(recordingID: recording, photos: [])
            record.note { $0.recordings += 1 }
            try await client.deleteCourse(courseID: course.courseID)
        } catch {
            // A user can have three open recordings; the first error is reported, and this recording may already be
            // finished.
            try? await client.discardRecording(recordingID: recording)
            throw error
        }
    }

    private func append(_ batch: Int, to recording: String, measuredAt due: LoadTime) async throws(ClientError) {
        let reply = try await client.appendRecording(
            recordingID: recording,
            points: points(of: batch, until: due),
            sentAt: WireTimestamp(Date()),
            uptimeMs: Double(LoadTime.now.microseconds) / 1_000
        )
        record.note { $0.points += reply.taken.count }
        for point in reply.rejected { record.fail("recording", point.code) }
    }

    /// The points of a batch on a straight way to the north, the last one measured at `end`.
    func points(of batch: Int, until end: LoadTime) -> [WireRecordedPoint] {
        let last = batch * Self.batchSeconds
        return (last - Self.batchSeconds + 1...last).map { second in
            var point = WireRecordedPoint()
            point.seq = UInt32(second)
            point.latitude = place.latitude + Double(second) * Self.speed / 111_320
            point.longitude = place.longitude
            point.accuracyMetres = Self.accuracyMetres
            point.speedMps = Self.speed
            point.uptimeMs = Double((end + .seconds(second - last)).microseconds) / 1_000
            return point
        }
    }
}
