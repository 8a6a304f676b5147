import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct RecordingWakeTests {
    @Test func `logs a recording that cannot be ended and continues with the others`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let log = LogRecorder()
            let application = await Application.tested(over: world.store, at: world.clock, log: log.logger())
            let recordings = application.journal.recordings
            var ids: [RecordingID] = []
            for user in UInt64(1)...3 { ids.append(try await recordings.record(by: .user(user), in: world)) }
            let broken = ids[1]
            // The first byte is the version of the encoding.
            try await world.store.write { db in
                try db.run("UPDATE recording_chunk SET points = x'ff' WHERE recording_id = ?", [broken])
            }
            world.clock.advance(by: .days(31))
            await recordings.wakeDue()
            for user in UInt64(1)...3 {
                let courses = try await world.store.courses.courses(
                    CourseFilter(.mine(nil)),
                    seenBy: .user(user),
                    limit: 9
                )
                #expect(courses.items.map(\.notes.title) == (user == 2 ? [] : ["Tour"]), "user \(user)")
                let open = try await recordings.list(of: .user(user)).map(\.id)
                #expect(open == (user == 2 ? [broken] : []), "user \(user)")
            }
            #expect(log.records.count == 1)
            #expect(log.records.first?.hasPrefix("A recording could not be ended error=") == true)
            #expect(log.records.first?.hasSuffix(" recording=\(broken)") == true)
            try await recordings.discard(broken, by: .user(2))
        }
    }
}

extension Recordings {
    /// A recording of a way of 600 m in ten minutes.
    fileprivate func record(by user: UserID, in world: PlaceWorld) async throws -> RecordingID {
        let begin = world.clock.now
        let id = try await start(.ride, title: "Tour", key: "tour", contentHash: [1], by: user).id
        let points = (0...60).map { number in
            let coordinate = Coordinate(latitude: 37.5 + Double(number) * 10 / 111_195, longitude: 127)
            let wallMs = Double((begin + .seconds(Double(number) * 10)).milliseconds)
            return RecordedPoint(
                Fix(seq: UInt32(number + 1), coordinate: coordinate, accuracyMetres: 5, wallMs: wallMs)
            )
        }
        let batch = RecordedBatch(device: DeviceKey(deviceID: "phone"), points: points)
        _ = try await append(batch, to: id, at: begin + .minutes(10), by: user)
        return id
    }
}
