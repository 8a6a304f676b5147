import Foundation
import GRDB
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct MigratingTests {
    @Test func `copies a database of an earlier version before migrating it`() async throws {
        let directory = try await old()
        let pending = try await Store.pendingChange(directory: directory.path)
        #expect(pending.migrations == Self.unseen && !pending.isFirst && pending.backupPath == nil)
        await #expect(throws: StoreError.outdatedSchema(Self.unseen)) {
            _ = try await Store.openExisting(directory: directory.path)
        }
        let store = try await Store.open(directory: directory.path)
        let path = try #require(store.upkeep.schemaChange.backupPath)
        #expect(path == directory.path + "/promised.sqlite.before-0008-administration")
        #expect(store.upkeep.schemaChange.migrations == Self.unseen)
        #expect(try await store.upkeep.verify() == [])
        #expect(try await store.upkeep.appliedMigrations().suffix(Self.unseen.count) == Self.unseen[...])
        try await store.close()
        #expect(try await Store.pendingChange(directory: directory.path).migrations == [])
        #expect(try directory.permissions(of: "promised.sqlite.before-0008-administration") == 0o600)
        let copy = try DatabaseQueue(path: path)
        #expect(try await copy.read { db in try !db.tableExists("admin_token") && db.tableExists("promise") })
        try copy.close()
    }

    @Test func `a failed migration keeps the old schema and can be repeated`() async throws {
        let directory = try await old()
        func change(_ sql: String) async throws {
            let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
            try await database.write { db in try db.execute(sql: sql) }
            try database.close()
        }
        // In the way of a late migration.
        try await change("CREATE TABLE recording (id INTEGER PRIMARY KEY)")
        await #expect(throws: StoreError.self) { _ = try await Store.open(directory: directory.path) }
        #expect(try await Store.pendingChange(directory: directory.path).migrations == Self.unseen)
        try await change("DROP TABLE recording")
        let store = try await Store.open(directory: directory.path)
        #expect(store.upkeep.schemaChange.migrations == Self.unseen)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test(.proves("2.2"))
    func `reserves a name for the oldest of similar accounts, and all keep theirs`() async throws {
        let directory = try await old()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            for (number, name) in ["PauI", "paul", "Pau1", "Bea"].enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO user (id, nickname, nickname_key, avatar, locale, time_zone, created_at)
                        VALUES (?, ?, lower(?), '', '', '', ?)
                        """,
                    arguments: [Data([UInt8](repeating: UInt8(number), count: 16)), name, name, 10 - number]
                )
            }
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        let names = try await store.read { db in
            try db.rows("SELECT nickname, nickname_skeleton FROM user ORDER BY id").map { row in
                let (name, skeleton): (String, String?) = (
                    try row.value("nickname"), try row.value("nickname_skeleton")
                )
                return "\(name) \(skeleton ?? "-")"
            }
        }
        #expect(names == ["PauI -", "paul -", "Pau1 paul", "Bea bea"])
        let paul = ChosenNickname(text: "Paul", key: "other")
        #expect(try await store.administration.signUpOutcome(emailKey: "x", nickname: paul) == .nicknameTaken)
        try await store.close()
    }

    @Test func `a key of an earlier version still identifies its promise`() async throws {
        let promise = Promise.sample()
        let directory = try await old { store async throws in
            try await store.signUp(1...1)
            try await store.open(promise, key: "k")
        }
        let store = try await Store.open(directory: directory.path)
        let earlier = try await store.promises.earlierCreation(
            by: .user(1),
            key: "k",
            contentHash: [1],
            now: promise.createdAt
        )
        #expect(earlier == .existing(promise.id))
        #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise == promise)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test func `counts an arrival with a companion from an earlier version for its badge`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        let arrival = try await store.arrive(1...2)[0].id
        try await store.createVisit(1) { $0.companions = [.named("Bea")] }
        try await store.write { db in
            try db.run("INSERT INTO companion VALUES (?, 1, ?, NULL)", [arrival, UserID.user(2)])
            try db.run("UPDATE visit SET is_together = 1 WHERE id = ?", [arrival])
        }
        let statistics = try await store.visits.visitStatistics(of: .user(1))
        #expect(statistics.badges.first { $0.badge == .together10 }?.progress == 1)
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(
                sql: """
                    DROP INDEX companion_by_user;
                    DROP INDEX visit_by_time;
                    ALTER TABLE visit DROP COLUMN is_together;
                    CREATE INDEX visit_by_time ON visit (user_id, at, id);
                    CREATE INDEX visit_shared ON visit (user_id, at, id) WHERE audience <> 'private';
                    DELETE FROM grdb_migrations WHERE identifier = '0026-visit-columns';
                    """
            )
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations.first == "0026-visit-columns")
        #expect(try await again.upkeep.verify() == [])
        #expect(try await again.visits.visitStatistics(of: .user(1)) == statistics)
        try await again.close()
    }

    @Test(.proves("17.9"))
    func `removes former friends from the people of courses`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...4)
        for other in [2, 3] as [UInt64] { try await store.befriend(1, other) }
        try await store.createCourse(1)
        try await store.share(1, with: .people, [2, 3])
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            // An earlier version left 3 in the list; 4 has parted from 1 even longer ago.
            try SQLConnection(db).run("DELETE FROM grdb_migrations WHERE identifier = '0042-course-people'")
            try SQLConnection(db).run(
                "DELETE FROM friendship WHERE first = :user OR second = :user",
                named: ["user": UserID.user(3)]
            )
            try SQLConnection(db).run(
                "INSERT INTO course_person SELECT course_id, ?, 3 FROM course_person WHERE position = 1",
                [UserID.user(4)]
            )
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0042-course-people"])
        let course = try #require(try await again.courses.course(.course(1), seenBy: .user(1)))
        #expect(course.sharing.audience == .people && course.sharing.people == [.user(2)])
        #expect(try await again.upkeep.verify() == [])
        try await again.close()
    }

    @Test(.proves("16.6"))
    func `redates visits of an earlier version by the zone of their place`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        var market = ImportedPlace.sample(1)
        market.categories = [CategoryID(text: "market/periodic")]
        market.hours = "day 1,6"
        let zoned = try await store.fill([market]).seen[0]
        try await store.places.putSource(PlaceSource(name: "unzoned", timeZone: ""))
        let unzoned = try await store.places.putPlaces([market], source: "unzoned", at: .meeting).seen[0]
        // 2026-11-20T22:30Z, which is the 21st in Seoul, filed by UTC.
        let places: [(PlaceID?, Double, Double)] = [
            (nil, 37.57, 127), (nil, 37.77, -122.42), (zoned, 37.57, 127), (unzoned, 37.57, 127),
        ]
        for (index, (place, latitude, longitude)) in places.enumerated() {
            try await store.createVisit(UInt64(index + 1)) { draft in
                draft.moment = VisitMoment(
                    place: Place(
                        name: "A",
                        coordinate: Coordinate(latitude: latitude, longitude: longitude),
                        placeID: place
                    ),
                    category: place.map { _ in CategoryID(text: "market/periodic") },
                    at: .meeting - .milliseconds(37_800_000),
                    localDate: CivilDate(year: 2026, month: 11, day: 20)
                )
            }
        }
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '0034-visit-dates'")
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0034-visit-dates"])
        let visits = try await again.visits.visits(of: .user(1), seenBy: .user(1), limit: 9).items.reversed().map(
            \.moment
        )
        // The zone of a source was right before: such visits stay.
        #expect(visits.map(\.localDate.day) == [21, 20, 20, 21])
        #expect(visits.map(\.isMarketDay) == [false, false, false, true])
        #expect(try await again.upkeep.verify() == [])
        try await again.close()
    }

    @Test func `courses of an earlier version hide their real ends and have the numbers of their way`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        var points = Track.sample().points
        points.insert(TrackPoint(Coordinate.meetingPlace.north(9_000), time: .meeting - .hours(5) - .seconds(5)), at: 0)
        let note = CourseWaypoint.note("Bridge", metres: 500)
        let secret = try await store.courses.endsSecret(of: .user(1))
        let course = try await store.createCourse(1, draft: .sample(Track(points), waypoints: [note], secret: secret))
        let untouched = try await store.createCourse(2, draft: .sample(title: "Sound", secret: secret))
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(
                sql: """
                    UPDATE course SET points = points + 1, dropped = dropped - 1, distance_metres = 9000, top_speed_mps = 900,
                        others_outlines = outlines, others_south = south, others_west = west, others_north = north,
                        others_east = east WHERE title = 'To the pier';
                    UPDATE waypoint SET at_metres = 8000;
                    INSERT INTO shown_way (course_id, is_own, hide_metres, points, outlines)
                        SELECT id, 0, 200, 0, x'' FROM course;
                    DELETE FROM grdb_migrations WHERE identifier = '0037-reshaped-courses';
                    """
            )
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0037-reshaped-courses"])
        let made = try #require(try await again.courses.course(.course(1), seenBy: .user(1)))
        #expect(made.way == course.way && made.named == course.named)
        #expect(try await again.courses.course(.course(2), seenBy: .user(1)) == untouched)
        #expect(try await again.courses.keptWays(of: .course(1)) == 0)
        #expect(try await again.upkeep.verify() == [])
        try await again.close()
    }

    @Test(.proves("17.12"), .defends("home-of-many-courses"))
    func `courses of an earlier version show no circle around an entrance`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        try await store.befriend(1, 2)
        // Hidden by the earlier rule: exactly the points within 200 m of the ends.
        let track = Track.sample(2_100)
        let ends = [try #require(track.points.first), try #require(track.points.last)].map(\.coordinate)
        let shown = track.points.filter { point in
            ends.allSatisfy { $0.distanceMetres(to: point.coordinate) > 200.8 }
        }
        let old = CourseShape(CourseDetails(own: Track(shown), names: Cafes()))
        for number in 1...2 as ClosedRange<UInt64> {
            var draft = CourseDraft.sample(track, title: "\(number)")
            draft.way = CourseWay(
                cleanedAt: draft.way.cleanedAt,
                startedAt: draft.way.startedAt,
                statistics: draft.way.statistics,
                shape: draft.way.shape,
                hidden: CourseShape(outlines: old.outlines, box: old.box, waypoints: old.waypoints)
            )
            draft.named = number == 1 ? [] : [NamedWaypoint(.note("Gate", metres: 202), othersAtMetres: 0)]
            try await store.createCourse(number, draft: draft)
            try await store.share(number, with: .friends)
            try await store.courses.keep(
                ShownWay(packing: Track(shown), isOwn: false, hideMetres: 200),
                of: .course(number)
            )
        }
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(
                sql: """
                    DELETE FROM meta WHERE key = 'ends-secret';
                    DELETE FROM grdb_migrations WHERE identifier = '0047-shifted-ends';
                    """
            )
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0047-shifted-ends"])
        let hidden = HiddenEnds(of: track, metres: 200, secret: try await again.courses.endsSecret(of: .user(1)))
        for number in 1...2 as ClosedRange<UInt64> {
            let own = try #require(try await again.courses.course(.course(number), seenBy: .user(1)))
            let points = try #require(try await again.courses.track(of: .course(number), seenBy: .user(2)))
            #expect(points.seen == hidden.visible(track) && points.seen != Track(shown))
            let hiding = points.hiding(200, named: own.named, names: Cafes())
            #expect(own.way.hidden.outlines == hiding.shape.outlines && own.way.hidden.box == hiding.shape.box)
            #expect(own.way.hidden.waypoints.map(\.atMetres) == hiding.shape.waypoints.map(\.atMetres))
            #expect(own.named == hiding.named)
            #expect(try await again.courses.keptWays(of: .course(number)) == 0)
            let seen = try #require(try await again.courses.course(.course(number), seenBy: .user(2)))
            let outline = seen.way.shape.outlines.compactMap(Polyline.decode).joined()
            #expect(!outline.isEmpty && outline.allSatisfy { !hidden.hides($0) })
            #expect(seen.waypoints.allSatisfy { !hidden.hides($0.place.coordinate) })
        }
        #expect(try await again.upkeep.verify() == [])
        let secret = try await again.courses.endsSecret(of: .user(1))
        try await again.close()
        let last = try await Store.open(directory: directory.path)
        #expect(try await last.courses.endsSecret(of: .user(1)) == secret)
        try await last.close()
    }

    @Test func `each server creates its own secret`() async throws {
        var secrets: Set<EndsSecret> = []
        for _ in 1...2 {
            let store = try await Store.open(directory: TemporaryDirectory().path)
            for user in [.user(1), .user(2), nil] as [UserID?] {
                secrets.insert(try await store.courses.endsSecret(of: user))
            }
            try await store.close()
        }
        #expect(secrets.count == 6)
    }

    @Test(.proves("2.20")) func `deletes the remains of deleted accounts of an earlier version`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        let alone = try await store.abandon(.sample(), by: .user(1))
        let together = try await store.abandon(.sample(number: 2), by: .user(1), with: [.accepted(.user(2))])
        try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '0045-tombstone-traces'")
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0045-tombstone-traces"])
        let emptied = try #require(try await again.sessions.snapshot(of: alone.id, withFixes: false))
        #expect(emptied.promise.isEmptied && emptied.promise.title == "" && emptied.promise.note == "")
        #expect(try await again.promises.events(of: alone.id, after: 0, limit: 9) == [])
        let kept = try #require(try await again.sessions.snapshot(of: together.id, withFixes: false))
        #expect(kept.promise == together)
        #expect(kept.arrivals[.user(1)]?.evidence?.device == DeviceKey(deviceID: ""))
        #expect(try await again.upkeep.verify() == [])
        try await again.close()
    }

    @Test func `lists promises of an earlier version by their status`() async throws {
        let promise = Promise.sample()
        var cancelled = Promise.sample(number: 2)
        cancelled.cancelledAt = cancelled.createdAt
        let directory = try await old { [cancelled] store async throws in
            try await store.signUp(1...1)
            for promise in [promise, cancelled] { try await store.open(promise) }
        }
        let store = try await Store.open(directory: directory.path)
        for (status, expected) in [(.tracking, promise), (.cancelled, cancelled)] as [(PromiseStatus, Promise)] {
            for user in [nil, .user(1)] as [UserID?] {
                let page = try await store.administration.promises(of: user, with: status, at: .meeting, limit: 9)
                #expect(page.items.map(\.promise) == [expected] && page.next == nil)
            }
        }
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test func `a repeatedly failed upgrade leaves only the newest copy`() async throws {
        let directory = try await old()
        let copy = "promised.sqlite.before-0008-administration"
        // Left by an earlier version, which numbered its copies.
        for name in [copy, copy + ".2", copy + ".99"] { try directory.write([1], to: name) }
        // The first migration creates this table.
        let blocked = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await blocked.write { db in try db.execute(sql: "CREATE TABLE admin_token (note TEXT)") }
        try blocked.close()
        for attempt in 1...3 {
            await #expect(throws: (any Error).self) { _ = try await Store.open(directory: directory.path) }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.filter { $0.contains(".before-") } == [copy], "\(attempt)")
        }
        let database = try DatabaseQueue(path: directory.path + "/" + copy)
        #expect(try await database.read { db in try db.tableExists("promise") })
        try database.close()
        #expect(try directory.permissions(of: copy) == 0o600)
    }

    @Test func `the copy before an upgrade replaces only files`() async throws {
        let directory = try await old()
        let copy = directory.path + "/promised.sqlite.before-0008-administration"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        await #expect(throws: StoreError.self) { _ = try await Store.open(directory: directory.path) }
        #expect(try await Store.pendingChange(directory: directory.path).migrations == Self.unseen)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains(NewFile.draftMark) })
    }

    @Test func `does not copy a new database`() async throws {
        try await withStore { store, directory async throws in
            #expect(store.upkeep.schemaChange.isFirst && store.upkeep.schemaChange.backupPath == nil)
            #expect(store.upkeep.schemaChange.migrations.suffix(Self.unseen.count) == Self.unseen[...])
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!names.contains { $0.contains("before") })
        }
    }

    @Test func `does not change a directory without a database`() async throws {
        let directory = TemporaryDirectory()
        await #expect(throws: StoreError.missing) { _ = try await Store.pendingChange(directory: directory.path) }
        await #expect(throws: StoreError.missing) { _ = try await Store.openExisting(directory: directory.path) }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `an intact database passes verification`() async throws {
        try await withStore { store async throws in
            #expect(try await store.upkeep.quickCheck() == [])
            #expect(store.upkeep.fileBytes > 0)
            try await store.upkeep.checkWritable()
            #expect(await store.upkeep.commitTimes.last ?? .zero > .zero)
        }
    }

    /// The migrations that the old database has not seen.
    private static let unseen = [
        "0008-administration", "0009-links", "0010-tombstone-statuses", "0011-shown-rejections", "0012-nudges",
        "0013-nickname-skeletons", "0014-refresh-families",
        "0015-shares-from",
        "0017-revoked-invites",
        "0018-places",
        "0019-weather",
        "0020-notifications",
        "0021-files",
        "0022-visits",
        "0023-courses",
        "0024-recordings", "0025-counts",
        "0026-visit-columns", "0027-course-columns", "0028-file-totals", "0029-promise-status",
        "0030-shown-statuses", "0031-open-parts",
        "0034-visit-dates",
        "0036-came-together",
        "0037-reshaped-courses",
        "0042-course-people",
        "0044-known-callers",
        "0045-tombstone-traces",
        "0046-erasing",
        "0047-shifted-ends",
        "0048-clean-file",
    ]

    /// A directory whose database has not seen the last migrations.
    private func old(filledBy fill: (Store) async throws -> Void = { _ in }) async throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await fill(store)
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP TABLE erasing;
                    DROP TABLE came_together;
                    DROP INDEX participant_open;
                    CREATE INDEX participant_by_settling ON participant (user_id, settles_at, promise_id);
                    DROP INDEX participant_with_status;
                    DROP INDEX promise_by_clock;
                    DROP INDEX participant_by_clock;
                    DROP TRIGGER promise_moved;
                    ALTER TABLE participant DROP COLUMN clock;
                    CREATE TRIGGER promise_moved AFTER UPDATE OF meets_at, span_after, span_settle ON promise
                    WHEN NEW.meets_at <> OLD.meets_at OR NEW.settles_at <> OLD.settles_at
                    BEGIN
                        UPDATE participant SET meets_at = NEW.meets_at, settles_at = NEW.settles_at
                        WHERE promise_id = NEW.id;
                    END;
                    DROP TABLE shown_piece;
                    DROP TABLE shown_way;
                    DROP TRIGGER promise_added;
                    DROP TRIGGER promise_changed;
                    DROP TRIGGER promise_removed;
                    DROP TRIGGER user_added;
                    DROP TRIGGER user_changed;
                    DROP TRIGGER user_removed;
                    DROP INDEX promise_by_settling;
                    DROP TABLE recording_chunk;
                    DROP TABLE recording;
                    DROP INDEX promise_by_course;
                    ALTER TABLE promise DROP COLUMN course_id;
                    DROP TABLE course_person;
                    DROP TABLE course_photo;
                    DROP TABLE waypoint;
                    DROP TABLE course_track;
                    DROP TABLE course;
                    DROP TABLE folder;
                    DROP TABLE visit_badge;
                    DROP TABLE visit_mark;
                    DROP TABLE companion;
                    DROP TABLE visit_photo;
                    DROP TABLE visit;
                    DROP TABLE export;
                    DROP TABLE upload;
                    DROP TABLE file;
                    DROP TABLE total;
                    ALTER TABLE user DROP COLUMN visits_from_arrivals;
                    DROP INDEX promise_by_place;
                    ALTER TABLE promise DROP COLUMN place_id;
                    DROP TABLE favourite;
                    DROP TABLE place;
                    DROP TABLE place_source;
                    ALTER TABLE idempotency_key RENAME TO new_key;
                    DROP INDEX idempotency_key_by_age;
                    CREATE TABLE idempotency_key (
                        owner_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
                        key TEXT NOT NULL,
                        promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
                        content_hash BLOB NOT NULL,
                        created_at INTEGER NOT NULL,
                        PRIMARY KEY (owner_id, key)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO idempotency_key
                        SELECT owner_id, key, subject_id, content_hash, created_at FROM new_key;
                    DROP TABLE new_key;
                    CREATE INDEX idempotency_key_by_promise ON idempotency_key (promise_id);
                    CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
                    DROP TABLE weather_cell;
                    DROP TABLE weather_claim;
                    DROP TABLE weather_request;
                    DROP TABLE weather_turn;
                    DROP TABLE known_caller;
                    DROP TABLE notification;
                    DROP TABLE notification_setting;
                    DROP INDEX user_by_skeleton;
                    ALTER TABLE user DROP COLUMN nickname_skeleton;
                    DROP INDEX refresh_token_by_family;
                    ALTER TABLE refresh_token DROP COLUMN family;
                    ALTER TABLE participant DROP COLUMN shares_from;
                    DROP TABLE nudge;
                    DROP INDEX friendship_shown_rejected;
                    ALTER TABLE friendship DROP COLUMN rejection_shown;
                    DROP TABLE view_link;
                    ALTER TABLE participant DROP COLUMN is_link_sharing;
                    DROP TABLE admin_token;
                    DROP INDEX audit_by_admin;
                    ALTER TABLE audit DROP COLUMN is_admin;
                    DROP INDEX promise_by_meeting;
                    DELETE FROM grdb_migrations WHERE identifier >= '0008';
                    """
            )
        }
        try database.close()
        return directory
    }
}
