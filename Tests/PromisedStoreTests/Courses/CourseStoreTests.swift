import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct CourseStoreTests {
    @Test func `reads a course and its points back unchanged`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.add([.sample(1), .sample(2)])
            var draft = CourseDraft.sample(waypoints: [.note("Bench", metres: 500), .note("Home", metres: 0)])
            draft.attribution = CourseAttribution(source: "Seoul", licence: "KOGL 1", region: RegionCode(text: "KR-11"))
            let kept = try await store.createCourse(1, draft: draft, photos: [2, 1])
            #expect(kept.version == 1 && kept.changedAt == .meeting && kept.sharing == CourseSharing())
            #expect(kept.way.shape.stops.count == 1 && kept.way.shape.waypoints.first?.name == "Café")
            #expect(kept.named.map(\.waypoint.name) == ["Home", "Bench"] && kept.named[0].othersAtMetres == nil)
            #expect(kept.way.statistics.ascentMetres != nil && kept.way.startedAt != nil)
            #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == kept)
            let track = try #require(try await store.courses.track(of: .course(1), seenBy: .user(1)))
            #expect(track.raw == draft.raw && track.isOwn && track.cleanedAt == .meeting)
            #expect(track.hideMetres == 200 && track.version == 1)
            #expect(try await store.files.file(.file(1))?.item == .course(.course(1)))
            #expect(try await store.courses.course(.course(2), seenBy: .user(1)) == nil)
        }
    }

    @Test func `puts a course without a folder into the last changed one, or a new one`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.createFolder(9, of: .user(2)).get()
            let first = try await store.createCourse(1)
            #expect(try await store.courses.folders(of: .user(1)).map(\.folder.title) == ["New folder"])
            _ = try await store.createFolder(2, at: .meeting + .hours(1)).get()
            #expect(try await store.createCourse(2, at: .meeting + .hours(2)).home?.folderID == .folder(2))
            let home = try #require(first.home)
            var edit = CourseEdit(version: 1)
            edit.memo = ""
            _ = try await store.courses.updateCourse(.course(1), of: .user(1), edit, at: .meeting + .hours(3)).get()
            #expect(try await store.createCourse(3, at: .meeting + .hours(4)).home == home)
            #expect(try await store.keep(.sample(), 4, in: 9) == .failure(.folderNotFound))
        }
    }

    @Test(.proves("17.10")) func `rejects a title in use, or adds a number to a generated one`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.createFolder(1).get()
            _ = try await store.createFolder(2).get()
            for (number, title) in [(1, "To the pier"), (2, "TO the pier (2)"), (3, "To the pier (3)")]
                as [(UInt64, String)]
            {
                let suggestion = number == 2 ? "TO the pier" : "To the pier"
                #expect(
                    try await store.createCourse(number, in: 1, draft: .sample(title: suggestion)).notes.title == title
                )
            }
            #expect(try await store.createCourse(4, in: 2).notes.title == "To the pier")
            let long = String(repeating: "가", count: 61)
            let kept = try await store.createCourse(6, in: 2, draft: .sample(title: long))
            #expect(kept.notes.title == String(long.dropLast()))
            let refused = try await store.keep(.sample(title: long, isTitleChosen: true), 7, in: 2)
            #expect(refused == .failure(.invalid(field: "title")))
            #expect(try await store.keep(.sample(title: ""), 7, in: 2) == .failure(.invalid(field: "title")))
            let chosen = CourseDraft.sample(title: "to THE pier", isTitleChosen: true)
            #expect(try await store.keep(chosen, 5, in: 1) == .failure(.courseTitleTaken))
            var edit = CourseEdit(version: 1)
            edit.folderID = .folder(1)
            func apply() async throws -> Result<CourseChange, Refusal> {
                try await store.courses.updateCourse(.course(4), of: .user(1), edit, at: .meeting)
            }
            #expect(try await apply() == .failure(.courseTitleTaken))
            edit.title = "Elsewhere"
            let moved = try await apply().get().course
            #expect(moved.home?.folderID == .folder(1) && moved.notes.title == "Elsewhere" && moved.version == 2)
            (edit.version, edit.title) = (2, "ELSEWHERE")
            #expect(try await apply().get().course.notes.title == "ELSEWHERE")
            (edit.version, edit.folderID) = (3, .folder(3))
            #expect(try await apply() == .failure(.folderNotFound))
        }
    }

    @Test func `a file makes all its courses or none, and is used once`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.add([.sample(1, kind: .track), .sample(2, kind: .track), .sample(3)])
            func keep(
                _ drafts: [CourseDraft],
                file: UInt64,
                key: String,
                hash: UInt8 = 1
            ) async throws -> Result<[Course], Refusal> {
                try await store.courses.createCourses(
                    drafts.enumerated().map { NewCourse($1, id: .course(file * 100 + UInt64($0))) },
                    in: FolderChoice(newID: .folder(1), language: .korean),
                    of: .user(1),
                    importing: .file(file),
                    key: key,
                    contentHash: [hash],
                    at: .meeting
                )
            }
            let short = CourseDraft.sample(.sample(1))
            #expect(try await keep([.sample(), short], file: 1, key: "k") == .failure(.courseTooShort))
            #expect(try await store.count("course") == 0)
            #expect(try await store.count("folder") == 0)
            let made = try await keep(Array(repeating: .sample(), count: 20), file: 1, key: "k").get()
            #expect(made.map(\.notes.title).prefix(3) == ["To the pier", "To the pier (2)", "To the pier (3)"])
            #expect(try await store.courses.folders(of: .user(1)).map(\.folder.title) == ["임시폴더"])
            #expect(try await keep([.sample()], file: 1, key: "k").get() == made)
            #expect(try await keep([.sample()], file: 1, key: "k", hash: 2) == .failure(.requestKeyReused))
            let earlier = try await store.courses.earlierCourses(of: .user(1), key: "k", contentHash: [1], at: .meeting)
            #expect(try earlier.get() == made)
            #expect(try await keep([.sample()], file: 1, key: "l") == .failure(.fileNotFound))
            #expect(try await keep([.sample()], file: 3, key: "l") == .failure(.fileNotFound))
            _ = try await store.courses.deleteCourse(made[0].id, of: .user(1), at: .meeting)
            #expect(try await keep([.sample()], file: 1, key: "k").get() == Array(made.dropFirst()))
            await #expect(throws: StoreError.broken("A request that makes 21 courses")) {
                _ = try await keep(Array(repeating: .sample(), count: 21), file: 2, key: "m")
            }
        }
    }

    /// Room at one below, at, and above the limits; filled with courses without tracks, so `verify` is not run.
    @Test(
        .proves("course.limit"),
        arguments: [
            (4_998, 100, true), (4_999, 100, true), (5_000, 100, false), (1, 4_999_900, true), (1, 4_999_901, false),
        ]
    )
    func `a user has room for 5,000 courses and 5,000,000 points`(courses: Int, points: Int, fits: Bool) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        let home = try #require(try await store.createCourse(1).home)
        try await store.write { db in
            try db.run("DELETE FROM course")
            for number in 0..<courses {
                var way = CourseDraft.sample(.sample(2)).way
                var statistics = way.statistics
                (statistics.points, statistics.dropped) = (points / courses, points % courses)
                way = CourseWay(
                    cleanedAt: .meeting,
                    startedAt: nil,
                    statistics: number == 0 ? statistics : CourseStatistics.twoPoints,
                    shape: way.shape,
                    hidden: way.hidden
                )
                let notes = CourseNotes(title: "\(number)")
                let course = Course(
                    id: .course(UInt64(number + 10)),
                    home: home,
                    source: .file,
                    notes: notes,
                    way: way,
                    changedAt: .meeting
                )
                try CourseRecord.insert(course, [], into: db)
            }
        }
        let result = try await store.keep(.sample(), 2)
        #expect((try? result.get()) != nil || result == .failure(.courseLimit))
        #expect(((try? result.get()) != nil) == fits)
        try await store.close()
    }

    @Test func `an edit replaces photos and way-points`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([.sample(1), .sample(2), .sample(3, of: .user(2))])
            let kept = try await store.createCourse(
                1,
                draft: .sample(waypoints: [.note("Bench", metres: 500)]),
                photos: [1]
            )
            var edit = CourseEdit(version: 1)
            edit.photos = [Photo(fileID: .file(2), caption: "Two")]
            edit.waypoints = try #require(try await store.courses.track(of: .course(1), seenBy: .user(1)))
                .placing([.note("Mill", metres: 550), .note("Gate", metres: 100)])
            let change = try await store.courses.updateCourse(.course(1), of: .user(1), edit, at: .meeting).get()
            #expect(change.removedFiles == [.file(1)] && change.course.way == kept.way)
            #expect(change.course.named.map(\.waypoint.name) == ["Gate", "Mill"])
            let metres = change.course.named.map(\.othersAtMetres)
            #expect(metres[0] == nil && metres[1].map { (140...350).contains($0) } == true)
            #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == change.course)
            #expect(try await store.files.file(.file(1)) == nil)
            #expect(
                try await store.courses.updateCourse(.course(1), of: .user(1), edit, at: .meeting)
                    == .failure(.courseStaleVersion)
            )
            edit.version = 2
            edit.photos = [Photo(fileID: .file(3))]
            #expect(
                try await store.courses.updateCourse(.course(1), of: .user(1), edit, at: .meeting)
                    == .failure(.fileNotFound)
            )
            #expect(
                try await store.courses.updateCourse(.course(1), of: .user(2), edit, at: .meeting)
                    == .failure(.courseNotFound)
            )
            let same = CourseEdit(version: 2)
            #expect(
                try await store.courses.updateCourse(.course(1), of: .user(1), same, at: .meeting).get().course
                    == change.course
            )
        }
    }

    @Test func `deleting a course releases its files and clears it from promises`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([.sample(1)])
            try await store.createCourse(1, photos: [1])
            let promise = Promise.sample().carrying(.course(1))
            let epoch = try await store.open(promise, with: [.invited(.user(2))])
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise == promise)
            #expect(try await store.courses.deleteCourse(.course(1), of: .user(2), at: .meeting) == nil)
            let erased = try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting)
            #expect(erased == Erasure(files: [.file(1)], promises: [promise.id: .course(1)]))
            #expect(try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting) == nil)
            // A session in memory still names the course.
            var commit = SessionCommit(promiseID: promise.id)
            commit.promise = promise
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise.courseID == nil)
        }
    }

    @Test func `deleting an account lists the promises with its courses`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.createCourse(1)
            try await store.createCourse(2, of: .user(2))
            let promise = Promise.sample().carrying(.course(1))
            try await store.open(promise)
            #expect(
                try await store.deletions.beginDeletion(of: .user(2), at: .meeting, subjectKey: { _ in [] })?.erasure
                    .promises
                    == [:]
            )
            let begun = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            #expect(begun?.erasure.promises == [promise.id: .course(1)])
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise == .sample())
        }
    }

    @Test func `a promise can refer only to a course of its owner`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.createCourse(1, of: .user(2))
            try await store.open(Promise.sample().carrying(.course(1)))
            #expect(
                try await store.sessions.snapshot(of: Promise.sample().id, withFixes: false)?.promise.courseID == nil
            )
        }
    }

    @Test func `a stop refers to a place only while the directory has it`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let place = try #require(try await store.fill([.sample(1)]).seen.first)
            let kept = try await store.createCourse(1, draft: .sample(names: Cafes(placeID: place)))
            #expect(kept.way.shape.stops.map(\.place.placeID) == [place])
            #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == kept)
            _ = try await store.write { db in try PlaceRemoval.remove([place], at: .meeting, in: db) }
            let stops = try await store.courses.course(.course(1), seenBy: .user(1))?.way.shape.stops
            #expect(stops?.map(\.place.placeID) == [nil] && stops?.map(\.place.name) == ["Café"])
            // The course refers to no row of the directory.
            _ = try await store.write { db in
                try PlaceRemoval.sweep(removedBefore: .meeting + .hours(1), limit: 9, in: db)
            }
            #expect(try await store.count("place") == 0)
        }
    }
}

extension CourseStatistics {
    /// The smallest possible course, without points.
    fileprivate static var twoPoints: CourseStatistics {
        var statistics = CourseStatistics()
        statistics.counted = 2
        return statistics
    }
}
