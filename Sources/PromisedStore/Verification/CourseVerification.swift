internal import Foundation
internal import PromisedDomain
internal import PromisedJournal

/// The checks of ``Store/verify(categories:)`` that read the points of courses and recordings.
enum CourseVerification {
    /// Finds rows of courses, tracks and recordings that cannot be read, for any reason.
    @Sendable static func unreadable(_ db: SQLConnection) throws -> [InvariantViolation] {
        try find("courses-readable", "SELECT hex(id) AS name, * FROM course", db) { row in
            // Courses, unlike visits, have no companions.
            let course = try CourseRecord.bare(row)
            guard course.sharing.audience != .companions else { throw StoreError.damaged("An audience of a visit") }
        }
            + find("tracks-readable", "SELECT hex(course_id) AS name, * FROM course_track", db) { row in
                _ = try CourseRecord.chunk(row).points(of: 0)
            }
            + find("shown-ways-readable", "SELECT hex(course_id) AS name, * FROM shown_way", db) { row in
                try check(outline(row), of: row)
            }
            + find("shown-ways-readable", "SELECT hex(course_id) AS name, * FROM shown_piece", db) { row in
                try check(ShownWayRecord.piece(row).points(), of: row)
            }
            + find("waypoints-readable", "SELECT hex(course_id) AS name, * FROM waypoint", db) { row in
                _ = try WaypointRecord.waypoint(row)
            }
            + find("recordings-readable", "SELECT hex(id) AS name, * FROM recording", db) { row in
                _ = try RecordingRecord.recording(row)
            }
            + find("recordings-readable", "SELECT hex(recording_id) AS name, * FROM recording_chunk", db) { row in
                _ = try RecordingRecord.chunk(row).points()
            }
    }

    private static func outline(_ row: SQLRow) throws -> [TrackPoint] {
        let most = Track.limitRange.upperBound
        return try OutlineCoding.page(TrackPart(), of: most, from: [UInt8](row.value("outlines") as Data)).points
    }

    /// Throws ``StoreError/damaged(_:)`` for points that do not match what others may see.
    private static func check(_ points: [TrackPoint], of row: SQLRow) throws {
        let isOwn: Bool = try row.value("is_own")
        guard isOwn || points.allSatisfy({ $0.time == nil && $0.accuracyMetres == nil && $0.speedMps == nil }) else {
            throw StoreError.damaged("A way of others with times")
        }
    }

    private static func find(
        _ check: String,
        _ sql: String,
        _ db: SQLConnection,
        _ read: (SQLRow) throws -> Void
    ) throws -> [InvariantViolation] {
        var violations: [InvariantViolation] = []
        let rows = try db.cursor(sql, once: true)
        while let row = try rows.next() {
            do {
                try read(row)
            } catch {
                violations.append(InvariantViolation(check: check, detail: try row.value("name")))
            }
        }
        return violations
    }
}
