import Foundation
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedJournal
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedStore

/// The limits of stored data (docs/limits.md), reached by rows that the test writes while the server is stopped.
@Suite("Limits of stored data", .tags(.realTime), .timeLimit(.minutes(2)))
struct KeptLimitRowTests {
    @Test(.proves("visit.limit", "course.limit"), arguments: WireCodec.allCases)
    func `rejects more than 10,000 visits and 5,000,000 points of courses`(codec: WireCodec) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let requests = Guarded<[(WireRequest, ErrorCode)]>([])
        try await ServerWorld.with(directory: directory, codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let made = try await people[0].requests(at: world.now)
                requests.withLock { $0 = made }
            }
        }
        try await Self.fill(directory)
        try await ServerWorld.with(directory: directory, codec: codec) { world in
            try await world.devices { connect in
                let ada = try await connect()
                _ = try await ada.call(.signIn(.sample("ada@example.org", "correct horse Ada")))
                for (request, code) in requests.withLock({ $0 }) {
                    #expect(try await ada.refusal(request) == code, "\(request)")
                }
            }
        }
    }

    @Test func `a user with 5,000,000 points of courses cannot store a way to a meeting`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let met = Guarded<WirePromise?>(nil)
        try await ServerWorld.with(directory: directory, rate: 3_000) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                _ = try await ada.course()
                let promise = try await ada.meet(with: bea, in: world)
                met.withLock { $0 = promise }
            }
        }
        let promise = try #require(met.withLock { $0 })
        try await Self.fill(directory)
        try await ServerWorld.with(directory: directory, start: ServerWorld.start + .hours(8)) { world in
            try await world.devices { connect in
                let ada = try await connect()
                _ = try await ada.call(.signIn(.sample("ada@example.org", "correct horse Ada")))
                let way = WireSaveCourse.with { ($0.key, $0.promiseID) = ("1", promise.promiseID) }
                #expect(try await ada.refusal(.saveCourse(way)) == .courseLimit)
            }
        }
    }

    /// Multiplies the only visit of the data directory by 10,000, and gives its only course the maximum number of
    /// points.
    private static func fill(_ directory: String) async throws {
        let store = try await Store.open(directory: directory)
        let columns = try await store.read { db in
            try db.rows("SELECT name FROM pragma_table_info('visit') WHERE name <> 'id'").map { row in
                try row.value("name") as String
            }
        }.joined(separator: ", ")
        try await store.write { db in
            try db.run(
                """
                INSERT INTO visit (id, \(columns))
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                SELECT randomblob(16), \(columns) FROM visit, number WHERE promise_id IS NULL
                """,
                [VisitLimits.visits - 1]
            )
            try db.run("UPDATE course SET points = ?", [CourseLimits.points])
        }
        try await store.close()
    }
}

extension Person {
    /// Stores a visit, a course, a file and a recording; returns the requests that would store one more.
    fileprivate func requests(at now: Instant) async throws -> [(WireRequest, ErrorCode)] {
        let course = try await course()
        let recording = try await client.startRecording(key: "1", activity: .walk).recordingID
        _ = try await append(WireRecordedPoint.way(of: 60, until: now), to: recording, at: now)
        let file = try await upload(.way(points: 40)).fileID
        _ = try await client.createVisit(.sample(at: now))
        return [
            (.createVisit(.sample(at: now)), .visitLimit),
            (.copyCourse(.with { ($0.key, $0.courseID) = ("copy", course.courseID) }), .courseLimit),
            (.importCourse(.with { ($0.key, $0.fileID) = ("import", file) }), .courseLimit),
            (.finishRecording(.with { $0.recordingID = recording }), .courseLimit),
        ]
    }
}
