import PromisedDomain
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct SchemaTests {
    @Test func `the migrations produce the recorded schema`() async throws {
        try await withStore { store async throws in
            let schema = try await store.read { db in
                try db.rows(
                    """
                    SELECT sql || ';' FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%' ORDER BY tbl_name, type DESC, name
                    """
                ).map { try $0.value(0) as String }
            }
            try Golden.expect(schema.joined(separator: "\n\n") + "\n", matches: "schema.sql")
        }
    }

    @Test func `the start reads only held notifications`() async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: NotificationQuery.held)
            #expect(plan == ["SCAN notification USING COVERING INDEX notification_held"])
        }
    }

    @Test func `the start reads only pending exports`() async throws {
        try await withStore { store async throws in
            #expect(try await store.plan(of: ExportRecord.atWork) == ["SCAN export USING INDEX export_at_work"])
        }
    }

    @Test func `every table is strict`() async throws {
        try await withStore { store async throws in
            let lax = try await store.read { db in
                try db.rows(
                    """
                    SELECT name FROM pragma_table_list
                    WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
                    """
                ).map { try $0.value(0) as String }
            }
            #expect(lax == [])
        }
    }

    @Test(arguments: [
        (PromiseListQuery.sql(.upcoming), "participant_by_meeting (user_id=? AND meets_at>?)"),
        (PromiseListQuery.sql(.past), "participant_by_meeting (user_id=?)"),
        (PromiseListQuery.sql(.tracking), "participant_open (user_id=? AND membership=? AND settles_at>?)"),
        (PromiseListQuery.sql(.invited), "participant_open (user_id=? AND membership=? AND settles_at>?)"),
        (PromiseListQuery.overlapping, "participant_open (user_id=? AND membership=? AND settles_at>?)"),
        (PromiseListQuery.openInvitations, "participant_open (user_id=? AND membership=? AND settles_at>?)"),
        (
            PromiseListQuery.participations,
            "COVERING INDEX participant_open (user_id=? AND membership=? AND settles_at>?)"
        ),
        (
            PromiseListQuery.clocks,
            "COVERING INDEX participant_open (user_id=? AND membership=? AND settles_at>? AND settles_at<?)"
        ),
        (DeletionQuery.openParts, "INDEX participant_open (user_id=? AND membership=? AND settles_at>?)"),
        (PromiseListQuery.openFriendRequests, "friendship_by_second (second=? AND state=?)"),
        (FriendshipRecord.leaveCourses, "course_person_by_user (user_id=? AND course_id=?)"),
        (RefreshTokenRecord.redirect, "refresh_token_by_session (session_id=? AND successor=?)"),
        (RefreshTokenRecord.dropSpent, "refresh_token_by_session (session_id=? AND successor=?)"),
        (RefreshTokenRecord.sessionOfFamily, "refresh_token_by_family (family=?)"),
        (SchedulerQuery.due, "INDEX promise_by_opening (opens_at<?)"),
        (NotificationQuery.page, "PRIMARY KEY (user_id=? AND (at,id)<(?,?))"),
        (NotificationQuery.unread, "notification_unread (user_id=?)"),
        (NotificationQuery.deleteOld, "notification_by_time (at<?)"),
        (SchedulerQuery.next, "INDEX promise_by_opening (opens_at>?)"),
        (PlaceRecord.byRefs(count: 2), "place_by_ref (source_id=? AND ref=?)"),
        (PlaceListQuery.ofSource, "place_by_ref (source_id=?)"),
        (PlaceListQuery.unreferred, "place_by_removal (removed_at<?)"),
        (PlaceListQuery.unreferred, "favourite_by_place (place_id=?)"),
        (PlaceListQuery.unreferred, "promise_by_place (place_id=?)"),
        (PlaceListQuery.unreferred, "visit_by_place (place_id=?)"),
        (FileRecord.usedBytes, "COVERING INDEX file_by_user (user_id=?)"),
        (ExportRecord.besideData, "file_by_user (user_id=? AND kind=?)"),
        (ExportRecord.besideData, "export_by_file (file_id=?)"),
        (FileRecord.ways, "SEARCH file USING INDEX file_by_user (user_id=? AND kind=?)"),
        (FileRecord.archive, "PRIMARY KEY (user_id=?)"),
        (FileRecord.unused, "file_without_item (created_at<?)"),
        (FileQuery.page, "PRIMARY KEY (id>?)"),
        (FileReadingQuery.single, "SEARCH visit USING INDEX sqlite_autoindex_visit_1 (id=?)"),
        (FileReadingQuery.single, "SEARCH course USING INDEX sqlite_autoindex_course_1 (id=?)"),
        (FileReadingQuery.single, "friendship USING PRIMARY KEY (first=? AND second=?)"),
        (FileReadingQuery.single, "promise_by_course (course_id=?)"),
        (UploadRecord.ofUser, "upload_by_user (user_id=?)"),
        (UploadRecord.forget, "upload_by_age (last_chunk_at<?)"),
        (VisitQuery.own, "visit_by_time (user_id=? AND at>? AND (at,id)<(?,?))"),
        // Filters read no row of `visit`; the query of the whole rows reads those that pass.
        (VisitQuery.own.ids, "COVERING INDEX visit_by_time (user_id=? AND at>? AND (at,id)<(?,?))"),
        (VisitQuery.shared, "visit_by_time (user_id=? AND at>? AND (at,id)<(?,?))"),
        (VisitQuery.shared.ids, "COVERING INDEX visit_by_time (user_id=? AND at>? AND (at,id)<(?,?))"),
        (VisitQuery.shared, "companion USING COVERING INDEX companion_by_user (user_id=? AND visit_id=?)"),
        (VisitQuery.countable, "COVERING INDEX visit_by_time (user_id=?)"),
        (VisitQuery.access, "SEARCH friendship USING PRIMARY KEY (first=? AND second=?)"),
        (VisitQuery.toPlace, "COVERING INDEX visit_by_place (place_id=? AND user_id=?)"),
        (FavouriteRecord.page, "favourite_by_user (user_id=?)"),
        (MeetingQuery.within, "INDEX promise_by_meeting (meets_at>? AND meets_at<?)"),
        (MeetingQuery.next, "INDEX promise_by_meeting (meets_at>?)"),
        (WeatherCellRecord.fetch, "weather_cell USING PRIMARY KEY (source=? AND cell=?)"),
        (WeatherCellRecord.sweep, "INDEX weather_cell_by_age (fetched_at<?)"),
    ])
    func `a hot query searches its index and scans nothing`(sql: String, index: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.read { db in try db.plan(of: sql) }
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
            // A filter's values are few, and erasures in progress are rare.
            let few = ["SCAN CONSTANT ROW", "SCAN json_each", "SCAN erasing"]
            let scans = plan.filter { step in step.hasPrefix("SCAN") && !few.contains { step.hasPrefix($0) } }
            #expect(scans == [])
        }
    }
}

extension String {
    /// The same query for only the ids.
    fileprivate var ids: String { replacing("SELECT *", with: "SELECT id") }
}
