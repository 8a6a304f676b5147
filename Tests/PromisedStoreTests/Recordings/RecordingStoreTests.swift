import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct RecordingStoreTests {
    private static let now = Instant.meeting

    @Test func `starts a recording once for each key, and at most three`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let first = try await store.start(1, key: "k").get()
            #expect(first.state == .recording && first.points == 0 && first.title == "Tour")
            #expect(try await store.start(2, key: "k").get() == first)
            #expect(try await store.start(3, key: "k", hash: 2) == .failure(.requestKeyReused))
            for number in 4...5 as ClosedRange<UInt64> { _ = try await store.start(number).get() }
            #expect(try await store.start(6) == .failure(.recordingLimit))
            _ = try await store.start(7, of: .user(2)).get()
            #expect(
                try await store.recordings.openRecordings(of: .user(1)).map(\.id)
                    == [5, 4, 1].map(RecordingID.recording)
            )
            #expect(
                try await store.recordings.discardRecording(.recording(4), of: .user(2), at: Self.now)
                    == .failure(.recordingNotFound)
            )
            #expect(
                try await store.recordings.discardRecording(.recording(4), of: .user(1), at: Self.now) == .success([])
            )
            #expect(
                try await store.recordings.discardRecording(.recording(4), of: .user(1), at: Self.now)
                    == .failure(.recordingNotFound)
            )
            _ = try await store.start(8, title: String(repeating: "가", count: 60)).get()
            let long = String(repeating: "가", count: 61)
            #expect(try await store.start(9, title: long) == .failure(.invalid(field: "title")))
            #expect(try await store.recordings.recordingCounts() == [.recording: 4, .interrupted: 0, .finished: 0])
        }
    }

    @Test func `stores each point once, and only from the user`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.start(1).get()
            let batch = RecordedBatch.sample(1...5)
            let taken = try await store.append(batch).get()
            #expect(taken.receipt.taken == [1, 2, 3, 4, 5] && taken.receipt.lastSeq == 5)
            #expect(taken.recording.points == 5 && taken.recording.lastPointAt == Self.now + .seconds(50))
            #expect(try await store.recordings.recording(.recording(1), of: .user(1)) == taken.recording)
            var again = RecordedBatch.sample(4...8)
            again.points[0].fix.coordinate = Coordinate(latitude: 0, longitude: 0)
            again.points[4].fix.coordinate = Coordinate(latitude: 91, longitude: 0)
            let receipt = try await store.append(again).get().receipt
            #expect(receipt.taken == [4, 5, 6, 7] && receipt.lastSeq == 7)
            #expect(receipt.rejected == [ReportReceipt.Rejection(seq: 8, reason: .positionInvalid)])
            #expect(try await store.append(batch, of: .user(2)) == .failure(.recordingNotFound))
            #expect(try await store.append(batch, to: 2) == .failure(.recordingNotFound))
            let empty = RecordedBatch(device: batch.device, points: [])
            #expect(try await store.append(empty) == .failure(.invalid(field: "points")))
            #expect(try await store.count("recording_chunk") == 1)
        }
    }

    @Test func `single points share rows, separately for each device`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            let other = DeviceKey(deviceID: "watch", bootID: "1")
            for number in 1...250 as ClosedRange<UInt32> {
                _ = try await store.append(.sample(number...number)).get()
                if number <= 20 {
                    var batch = RecordedBatch.sample(number...number)
                    batch.device = other
                    _ = try await store.append(batch).get()
                }
            }
            #expect(try await store.count("recording_chunk") == 3)
            let recorded = try #require(try await store.recordings.recordedTrack(of: .recording(1), of: .user(1)))
            #expect(recorded.track.points.count == 270)
            #expect(try await store.upkeep.verify() == [])
        }
    }

    @Test func `a recording becomes a course once`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.start(1).get()
            #expect(try await store.finish(1, as: 1) == .failure(.courseTooShort))
            _ = try await store.append(.sample(1...1)).get()
            #expect(try await store.finish(1, as: 1) == .failure(.courseTooShort))
            _ = try await store.append(.sample(2...60)).get()
            let recorded = try #require(try await store.recordings.recordedTrack(of: .recording(1), of: .user(1)))
            #expect(recorded.track.points.count == 60)
            // More points arrive while the course is computed.
            _ = try await store.append(.sample(61...100)).get()
            #expect(try await store.finish(1, as: 1, recorded) == .success(.grown))
            #expect(try await store.finish(1, as: 1, of: .user(2), recorded) == .failure(.recordingNotFound))
            let course = try #require(try await store.finish(1, as: 1).get().course)
            #expect(course.source == .recording && course.notes.title == "Tour" && course.way.statistics.points == 100)
            #expect(try await store.finish(1, as: 2).get() == .course(course))
            let recording = try #require(try await store.recordings.recording(.recording(1), of: .user(1)))
            #expect(recording.state == .finished && recording.courseID == .course(1))
            #expect(recording.points == 100 && recording.lastSeq == 100)
            #expect(recording.distanceMetres == course.way.statistics.distanceMetres)
            #expect(try await store.count("recording_chunk") == 0 && recording.devices["phone"]?.lastCounted == nil)
            #expect(try await store.append(.sample(101...102)) == .failure(.recordingClosed))
            #expect(
                try await store.recordings.discardRecording(.recording(1), of: .user(1), at: Self.now)
                    == .failure(.recordingClosed)
            )
            #expect(try await store.recordings.openRecordings(of: .user(1)) == [])
            #expect(try await store.recordings.recordingCounts() == [.recording: 0, .interrupted: 0, .finished: 1])
            // Without its course it is deleted completely.
            _ = try await store.courses.deleteCourse(.course(1), of: .user(1), at: Self.now)
            #expect(try await store.recordings.recording(.recording(1), of: .user(1)) == nil)
        }
    }

    @Test func `a recording with a rejected course stays open`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            _ = try await store.append(.sample(1...60)).get()
            try await store.createCourse(9)
            let refused = try await store.finish(1, as: 1, title: "TO the pier")
            #expect(refused == .failure(.courseTitleTaken))
            #expect(try await store.recordings.openRecordings(of: .user(1)).map(\.points) == [60])
            #expect(try await store.count("recording_chunk") == 1)
        }
    }

    // MARK: - By the clock

    @Test func `after 6 h without a point a recording is interrupted, and any point continues it`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            _ = try await store.append(.sample(1...2), at: Self.now + .minutes(5)).get()
            let due = DueRecording(id: .recording(1), userID: .user(1))
            let at = Self.now + .minutes(5) + .hours(6)
            #expect(try await store.recordings.nextRecordingWake() == at)
            #expect(try await store.recordings.dueRecordings(at: at - .milliseconds(1)) == [])
            #expect(try await store.recordings.wakeRecording(due, at: at - .milliseconds(1)) == .none)
            #expect(try await store.recordings.dueRecordings(at: at) == [due])
            let woken = try await store.recordings.wakeRecording(due, at: at)
            let recording = try #require(try await store.recordings.recording(.recording(1), of: .user(1)))
            #expect(woken == .interrupted(recording) && recording.state == .interrupted)
            #expect(try await store.recordings.wakeRecording(due, at: at) == .none)
            #expect(try await store.recordings.nextRecordingWake() == Self.now + .minutes(5) + .days(30))
            let late = try await store.append(.sample(3...4), at: at + .days(2)).get().recording
            #expect(late.state == .recording)
            #expect(try await store.recordings.nextRecordingWake() == at + .days(2) + .hours(6))
        }
    }

    @Test(arguments: [(1, false), (4, false), (60, true)] as [(UInt32, Bool)])
    func `after 30 days a recording becomes a course, or is deleted if it is short`(
        points: UInt32,
        isKept: Bool
    ) async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            _ = try await store.append(.sample(1...points)).get()
            let due = DueRecording(id: .recording(1), userID: .user(1))
            let end = Self.now + .hours(1) + .days(30)
            func expire(at now: Instant) async throws -> RecordingExpiry {
                let recorded = try #require(try await store.recordings.recordedTrack(of: .recording(1), of: .user(1)))
                return try await store.recordings.expireRecording(
                    .recording(1),
                    of: .user(1),
                    as: NewCourse(.sample(recorded.track), id: .course(1)),
                    measured: recorded.recording.points,
                    in: FolderChoice(newID: .folder(1), language: .english),
                    at: now
                )
            }
            #expect(try await store.recordings.wakeRecording(due, at: end - .milliseconds(1)) != .expired)
            #expect(try await expire(at: end - .milliseconds(1)) == .open)
            #expect(try await store.recordings.dueRecordings(at: end) == [due])
            #expect(try await store.recordings.wakeRecording(due, at: end) == .expired)
            let expiry = try await expire(at: end)
            if isKept {
                let course = try await store.courses.course(.course(1), seenBy: .user(1))
                #expect(expiry == course.map(RecordingExpiry.course))
                #expect(try await store.recordings.recording(.recording(1), of: .user(1))?.courseID == .course(1))
            } else {
                #expect(expiry == .removed)
                #expect(try await store.recordings.recording(.recording(1), of: .user(1)) == nil)
            }
            #expect(try await store.count("recording_chunk") == 0)
            #expect(try await store.recordings.nextRecordingWake() == nil)
            #expect(try await store.recordings.wakeRecording(due, at: end) == .none)
        }
    }

    @Test func `without room for a course a recording stays open and is due again a day later`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            _ = try await store.append(.sample(1...60)).get()
            try await store.createCourse(9)
            let full = CourseLimits.points - 59
            try await store.write { db in try db.run("UPDATE course SET points = ?, dropped = 0", [full]) }
            #expect(try await store.finish(1, as: 1) == .failure(.courseLimit))
            let recorded = try #require(try await store.recordings.recordedTrack(of: .recording(1), of: .user(1)))
            let end = Self.now + .hours(1) + .days(30)
            func expire(at now: Instant) async throws -> RecordingExpiry {
                try await store.recordings.expireRecording(
                    .recording(1),
                    of: .user(1),
                    as: NewCourse(.sample(recorded.track), id: .course(1)),
                    measured: 60,
                    in: FolderChoice(newID: .folder(1), language: .english),
                    at: now
                )
            }
            #expect(try await expire(at: end) == .postponed)
            #expect(try await store.recordings.openRecordings(of: .user(1)).map(\.points) == [60])
            #expect(try await store.recordings.dueRecordings(at: end) == [])
            #expect(try await store.recordings.nextRecordingWake() == end + .days(1))
            try await store.write { db in try db.run("UPDATE course SET points = ?", [full - 1]) }
            #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == nil)
            let expiry = try await expire(at: end + .days(1))
            let course = try await store.courses.course(.course(1), seenBy: .user(1))
            #expect(course.map(RecordingExpiry.course) == expiry)
            _ = try await store.courses.deleteCourse(.course(9), of: .user(1), at: end)
        }
    }

    @Test(arguments: [(99_999, true), (100_000, false)])
    func `a recording has at most 100,000 points`(points: Int, isTaken: Bool) async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            try await store.write { db in try db.run("UPDATE recording SET points = ?", [points]) }
            let result = try await store.append(.sample(1...1))
            #expect((result == .failure(.recordingLimit)) != isTaken)
            #expect(try await store.recordings.recording(.recording(1), of: .user(1))?.points == 100_000)
            _ = try await store.recordings.discardRecording(.recording(1), of: .user(1), at: Self.now).get()
        }
    }

    /// Two devices with batches in any order, cut, duplicated, and days late.
    @Test(arguments: 1...25 as ClosedRange<UInt64>)
    func `a disturbed recording becomes the course of an undisturbed one`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.start(1).get()
            _ = try await store.start(2).get()
            let devices = ["phone", "watch"].map { RecordedBatch.random($0, using: &generator) }
            // Points are backdated, so all are sent after the last was made.
            let sentAt = Self.now + .hours(2)
            for device in devices {
                for batch in device.cut(into: 50) { _ = try await store.append(batch, to: 1, at: sentAt).get() }
            }
            var batches = devices.flatMap {
                $0.shuffled(using: &generator).cut(into: Int.random(in: 1...60, using: &generator))
            }
            batches += batches.shuffled(using: &generator).prefix(batches.count / 2)
            batches.shuffle(using: &generator)
            for batch in batches {
                let at = sentAt + .hours(Int64.random(in: 0...48, using: &generator))
                let receipt = try await store.append(batch.sent(at: at), to: 2, at: at).get().receipt
                #expect(receipt.rejected == [] && receipt.taken == batch.points.map(\.fix.seq), "seed \(seed)")
            }
            let undisturbed = try #require(try await store.recordings.recordedTrack(of: .recording(1), of: .user(1)))
            let disturbed = try #require(try await store.recordings.recordedTrack(of: .recording(2), of: .user(1)))
            #expect(disturbed.track == undisturbed.track, "seed \(seed)")
            #expect(disturbed.recording.points == devices.reduce(0) { $0 + $1.points.count }, "seed \(seed)")
            #expect(disturbed.recording.lastPointAt == undisturbed.recording.lastPointAt, "seed \(seed)")
            let first = try #require(try await store.finish(1, as: 1).get().course)
            let second = try #require(try await store.finish(2, as: 2).get().course)
            #expect(first.way.statistics == second.way.statistics && first.way.shape == second.way.shape)
            let tracks = [
                try await store.courses.track(of: .course(1), seenBy: .user(1)),
                try await store.courses.track(of: .course(2), seenBy: .user(1)),
            ]
            #expect(tracks[0]?.raw == undisturbed.track && tracks[1]?.raw == undisturbed.track, "seed \(seed)")
        }
    }

    @Test func `reads points and devices back unchanged`() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let points = (0..<20).map { _ in
                KeptPoint(
                    deviceID: "phone",
                    seq: .random(in: 1...UInt32.max, using: &generator),
                    point: TrackPoint(
                        Coordinate(latitude: .random(in: -90...90, using: &generator), longitude: 127.123_456_7),
                        altitudeMetres: .random(in: -10...10, using: &generator),
                        time: Instant(milliseconds: .random(in: 0...1 << 41, using: &generator)),
                        segment: Int(UInt32.random(in: 0...UInt32.max, using: &generator))
                    )
                )
            }
            let chunk = RecordingChunk(encoding: points, of: "phone")
            #expect(try chunk.points() == points)
            for end in chunk.bytes.indices where end % 7 == 0 {
                let cut = RecordingChunk(bytes: Array(chunk.bytes[..<end]), count: chunk.count)
                #expect(throws: StoreError.self) { try cut.points() }
            }
            var device = Recording.Device()
            for point in points { device.taken.insert(point.seq) }
            device.taken.insert(.max)
            (device.lastSeq, device.lastCounted) = (.max, points[0].point)
            let devices = ["phone": device, "": Recording.Device()]
            let bytes = RecordingDevices.encode(devices, isFinished: false)
            #expect(try RecordingDevices.decode(bytes) == devices)
            for end in bytes.indices {
                #expect(throws: StoreError.self) { try RecordingDevices.decode(Array(bytes[..<end])) }
            }
            device.lastCounted = nil
            let finished = try RecordingDevices.decode(RecordingDevices.encode(devices, isFinished: true))
            #expect(finished == ["phone": device, "": Recording.Device()])
        }
    }

    @Test(arguments: [UInt64(0), .max, .max - 4, 1 << 32])
    func `treats unordered ranges of numbers as damage`(step: UInt64) {
        var writer = ByteWriter(expecting: 64)
        writer.write(UInt8(1))
        writer.write(UInt64(1))
        writer.write("phone")
        // The last number; two ranges, of which the second begins a step behind the first, which ends at 10.
        for number in [10, 2, 5, 5, step, 0] { writer.write(UInt64(number)) }
        writer.write(UInt8(0))
        #expect(throws: StoreError.self) { try RecordingDevices.decode(writer.bytes) }
    }

    @Test(arguments: [
        (RecordingQuery.open, "INDEX recording_open (user_id=?)"),
        (RecordingQuery.openCount, "INDEX recording_open (user_id=?)"),
        (RecordingQuery.chunks, "INDEX recording_chunk_by_recording (recording_id=?)"),
        (RecordingQuery.lastChunks, "INDEX recording_chunk_by_recording (recording_id=?)"),
        (RecordingQuery.due, "INDEX recording_by_wake (wakes_at<?)"),
    ])
    func `a query of recordings searches its index`(sql: String, index: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH") && plan[0].contains(index), "\(plan)")
            let first = try await store.plan(of: RecordingQuery.nextWake)
            #expect(first.count == 1 && first[0].contains("COVERING INDEX recording_by_wake"), "\(first)")
        }
    }
}
