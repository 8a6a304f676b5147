import GRDB
import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct CourseVerificationTests {
    /// A fault to insert past the checks of the schema, and the checks that must find it. The store has a course with a
    /// photo, two way-points and a person, one without, a recommended one, a finished and an open recording.
    @Test(arguments: [
        ("UPDATE course SET folder_id = zeroblob(16) WHERE title = 'one'", ["references", "course-in-own-folder"]),
        ("UPDATE course SET folder_id = NULL WHERE title = 'one'", ["course-in-own-folder", "courses-readable"]),
        (
            "UPDATE course SET folder_id = (SELECT id FROM folder WHERE title = 'theirs') WHERE title = 'one'",
            ["course-in-own-folder"]
        ),
        ("UPDATE course SET points = points + 1 WHERE title = 'one'", ["track-complete"]),
        ("DELETE FROM course_track WHERE segment = 1 AND course_id = (\(one))", ["track-complete"]),
        ("UPDATE course_track SET segment = 2 WHERE segment = 1 AND course_id = (\(one))", ["track-complete"]),
        ("UPDATE course_track SET points = x'01ff' WHERE segment = 1 AND course_id = (\(one))", ["tracks-readable"]),
        ("UPDATE shown_way SET points = points + 1 WHERE is_own", ["shown-way-complete"]),
        ("UPDATE shown_piece SET start = 1000 WHERE is_own", ["shown-way-complete"]),
        ("UPDATE shown_way SET hide_metres = 300 WHERE NOT is_own", ["shown-way-of-its-course"]),
        ("UPDATE shown_way SET outlines = x'0109' WHERE is_own", ["shown-ways-readable"]),
        ("UPDATE shown_piece SET points = x'02' WHERE is_own", ["shown-ways-readable"]),
        (
            """
            UPDATE shown_way SET (points, outlines) = (SELECT points, outlines FROM shown_way WHERE is_own)
                WHERE NOT is_own
            """,
            ["shown-way-complete", "shown-ways-readable"]
        ),
        (
            """
            UPDATE shown_piece SET (count, points) = (SELECT count, points FROM shown_piece WHERE is_own)
                WHERE NOT is_own
            """,
            ["shown-way-complete", "shown-ways-readable"]
        ),
        ("DELETE FROM meta WHERE key = 'ends-secret'", ["secret-of-ends"]),
        ("UPDATE meta SET value = 'lost' WHERE key = 'ends-secret'", ["secret-of-ends"]),
        ("UPDATE meta SET value = '1x 2' WHERE key = 'ends-secret'", ["secret-of-ends"]),
        ("UPDATE meta SET value = '1 2 3' WHERE key = 'ends-secret'", ["secret-of-ends"]),
        ("DELETE FROM waypoint WHERE position = 1", ["waypoints-in-order"]),
        ("UPDATE waypoint SET kind = 'ode' WHERE position = 1", ["waypoints-readable"]),
        ("UPDATE waypoint SET latitude = 91 WHERE position = 1", ["coordinates-in-range"]),
        ("UPDATE course SET audience = 'friends' WHERE title = 'one'", ["people-of-audience"]),
        ("UPDATE course_person SET user_id = (SELECT user_id FROM course WHERE title = 'one')", ["people-of-audience"]),
        ("UPDATE course SET audience = 'companions' WHERE title = 'two'", ["courses-readable"]),
        ("UPDATE course SET waypoints = x'0101' WHERE title = 'two'", ["courses-readable"]),
        ("UPDATE course SET source = 'operator' WHERE title = 'two'", ["recommended-without-user"]),
        ("UPDATE promise SET course_id = (SELECT id FROM course WHERE title = 'all')", ["promise-of-own-course"]),
        ("UPDATE promise SET course_id = zeroblob(16)", ["references"]),
        ("DELETE FROM file WHERE item_kind = 'course'", ["references"]),
        ("DELETE FROM course_photo", ["file-of-item"]),
        ("UPDATE file SET item_kind = 'visit' WHERE item_kind = 'course'", ["file-of-item"]),
        ("UPDATE course_photo SET position = 2", ["photos-in-order"]),
        ("DELETE FROM recording_chunk", ["chunks-of-open-recording"]),
        (
            "UPDATE recording_chunk SET recording_id = (SELECT id FROM recording WHERE state = 'finished')",
            ["chunks-of-open-recording", "chunks-of-open-recording"]
        ),
        ("UPDATE recording SET course_id = NULL WHERE state = 'finished'", ["recording-with-course"]),
        ("UPDATE recording SET wakes_at = 1 WHERE state = 'finished'", ["recording-with-course"]),
        ("UPDATE recording SET devices = x'02' WHERE state = 'finished'", ["recordings-readable"]),
        ("UPDATE recording_chunk SET points = x'0100ff'", ["recordings-readable"]),
        (
            """
            INSERT INTO recording SELECT randomblob(16), user_id, state, activity, title, 1, 1, NULL, 1, 0, 0, NULL, x'0100'
                FROM recording, (VALUES (1), (2), (3)) WHERE state = 'recording'
            """,
            ["recordings-bounded"]
        ),
    ])
    func `each check finds its violation`(sql: String, checks: [String]) async throws {
        let directory = try await filled()
        var lax = Configuration()
        lax.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite", configuration: lax)
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
            #expect(db.changesCount > 0)
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        let violations = try await store.upkeep.verify()
        #expect(violations.map(\.check) == checks, "\(violations)")
        try await store.close()
    }

    private static let one = "SELECT id FROM course WHERE title = 'one'"

    @Test(arguments: ["folder", "course", "course_person", "recording"])
    func `finds a tombstone with remaining data`(table: String) async throws {
        let directory = try await filled()
        let store = try await Store.open(directory: directory.path)
        try await store.deletions.makeTombstone(of: .user(3), at: .meeting, subjectKey: { _ in [] })
        #expect(try await store.upkeep.verify() == [])
        let owned = table == "course" ? " WHERE user_id IS NOT NULL" : ""
        try await store.write { db in try db.run("UPDATE \(table) SET user_id = ?\(owned)", [UserID.user(3)]) }
        #expect(try await store.upkeep.verify().map(\.check).contains("tombstone-empty"))
        try await store.close()
    }

    private func filled() async throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...3)
        try await store.befriend(1, 2)
        try await store.add([.sample(1)])
        _ = try await store.createFolder(9, of: .user(2), title: "theirs").get()
        let waypoints = [CourseWaypoint.note("A", metres: 100), .note("B", metres: 500)]
        try await store.createCourse(1, draft: .sample(title: "one", waypoints: waypoints), photos: [1])
        try await store.createCourse(2, draft: .sample(title: "two"))
        try await store.share(1, with: .people, [2])
        for viewer in [1, 2] as [UInt64] { try await store.keepShown(1, seenBy: viewer) }
        var draft = CourseDraft.sample(title: "all")
        draft.attribution = CourseAttribution(source: "Seoul", licence: "KOGL 1")
        _ = try await store.courses.recommendCourse(NewCourse(draft, id: .course(3)), at: .meeting).get()
        try await store.open(Promise.sample().carrying(.course(1)))
        for number in 1...2 as ClosedRange<UInt64> {
            _ = try await store.start(number).get()
            _ = try await store.append(.sample(1...60), to: number).get()
        }
        _ = try await store.finish(1, as: 4).get()
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
        return directory
    }
}
