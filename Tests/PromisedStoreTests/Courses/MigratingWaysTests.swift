import Foundation
import GRDB
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Visits and courses of earlier versions.
@Suite(.timeLimit(.minutes(1))) struct MigratingWaysTests {
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
            // An earlier version left 3 in the list; 4 ended the friendship with 1 even earlier.
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
        // The zone of a source was correct before: such visits are unchanged.
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
}
