import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

extension ID where Subject == RecordingSubject {
    /// The id of the recording with that number; ids are ordered as the numbers are.
    static func recording(_ number: UInt64) -> RecordingID {
        RecordingID(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
    }
}

extension RecordedBatch {
    private static func point(
        _ seq: UInt32,
        _ coordinate: Coordinate,
        at: Instant,
        segment: UInt32 = 0
    ) -> RecordedPoint {
        let wallMs = Double(at.milliseconds)
        let fix = Fix(seq: seq, coordinate: coordinate, accuracyMetres: 5, speedMps: 1, wallMs: wallMs)
        return RecordedPoint(fix, altitudeMetres: Double(seq) / 3, segment: segment)
    }

    /// Points of a phone with a correct clock, every 10 s and 10 m; point 1 is made 10 s after the meeting.
    static func sample(_ numbers: ClosedRange<UInt32>) -> RecordedBatch {
        let points = numbers.map { number in
            let at = Instant.meeting + .seconds(Double(number) * 10)
            return point(number, Coordinate.meetingPlace.north(Double(number) * 10), at: at)
        }
        return RecordedBatch(device: DeviceKey(deviceID: "phone"), points: points)
    }

    /// All points of a device on a random way within two hours after the meeting.
    static func random(_ device: String, using generator: inout SeededGenerator) -> RecordedBatch {
        let plane = LocalPlane(origin: Coordinate(latitude: 37.5, longitude: 127))
        var (place, segment, seconds) = (PlanePoint.origin, UInt32(0), 0)
        let points = (1...Int.random(in: 20...180, using: &generator)).map { number in
            let metres = Double.random(in: 0...30, using: &generator)
            place = place + .polar(distanceMetres: metres, bearingDegrees: .random(in: 0...90, using: &generator))
            if Int.random(in: 0..<30, using: &generator) == 0 { segment += 1 }
            seconds += Int.random(in: 1...30, using: &generator)
            let at = Instant.meeting + .seconds(Double(seconds))
            return point(UInt32(number), plane.coordinate(of: place), at: at, segment: segment)
        }
        return RecordedBatch(device: DeviceKey(deviceID: device), points: points)
    }

    /// The batch as it is sent at an instant.
    func sent(at now: Instant) -> RecordedBatch {
        var batch = self
        batch.sent = ClockReadings(wallMs: Double(now.milliseconds))
        return batch
    }

    func shuffled(using generator: inout SeededGenerator) -> RecordedBatch {
        var batch = self
        batch.points.shuffle(using: &generator)
        return batch
    }

    func cut(into count: Int) -> [RecordedBatch] {
        stride(from: 0, to: points.count, by: count).map { start in
            RecordedBatch(device: device, points: Array(points[start..<min(start + count, points.count)]))
        }
    }
}

extension Store {
    func start(
        _ number: UInt64,
        of user: UserID = .user(1),
        title: String = "Tour",
        key: String? = nil,
        hash: UInt8 = 1
    ) async throws(StoreError) -> Result<Recording, Refusal> {
        try await recordings.startRecording(
            .ride,
            title: title,
            id: .recording(number),
            of: user,
            key: key ?? "recording \(number)",
            contentHash: [hash],
            at: .meeting
        )
    }

    func append(
        _ batch: RecordedBatch,
        to number: UInt64 = 1,
        of user: UserID = .user(1),
        at now: Instant = .meeting + .hours(1)
    ) async throws(StoreError) -> Result<RecordingAppend, Refusal> {
        try await recordings.appendRecording(.recording(number), of: user, batch.sent(at: now), at: now)
    }

    /// Finishes a recording of user 1 as a course of its current or earlier points.
    func finish(
        _ number: UInt64,
        as course: UInt64,
        of user: UserID = .user(1),
        _ recorded: RecordedTrack? = nil,
        title: String? = nil
    ) async throws -> Result<RecordingFinish, Refusal> {
        let now = try await recordings.recordedTrack(of: .recording(number), of: .user(1))
        let recorded = try #require(recorded ?? now)
        let draft = CourseDraft.sample(
            recorded.track,
            title: title ?? "Tour",
            isTitleChosen: title != nil,
            at: .meeting + .hours(50)
        )
        return try await recordings.finishRecording(
            .recording(number),
            of: user,
            as: NewCourse(draft, id: .course(course)),
            measured: recorded.recording.points,
            in: FolderChoice(newID: .folder(1), language: .english),
            at: .meeting + .hours(50)
        )
    }
}

extension RecordingFinish {
    /// The course; nil if there is none yet.
    var course: Course? {
        if case .course(let course) = self { course } else { nil }
    }
}
