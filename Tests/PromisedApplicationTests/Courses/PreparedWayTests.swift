import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PreparedWayTests {
    @Test(arguments: [(2_000, 0), (2_001, 2)])
    func `a long way is kept for its user and for others before anybody asks for it`(
        points: Int,
        kept: Int
    ) async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let work = CourseWork(directory: world.directory, store: world.store)
            let course = try await world.course(ofPoints: points)
            await work.prepare(course)
            #expect(try await world.store.keptWays(of: course.id) == kept)
            // The first page is the one that is worked out from the points.
            let seen = try #require(try await world.store.track(of: course.id, seenBy: .user(1))).seen
            let part = try await world.store.shownPart(TrackPart(), of: course.id, seenBy: .user(1))
            #expect(part == (kept == 0 ? .unknown : .page(TrackPart().page(of: seen))))
        }
    }

    @Test func `other hidden ends make the way of others anew, and nothing is made twice`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let work = CourseWork(directory: world.directory, store: world.store)
            let course = try await world.course(ofPoints: 2_500)
            await work.prepare(course)
            let track = try #require(try await world.store.track(of: course.id))
            let names = DirectoryNames(state: nil, language: .english)
            let share = try await world.store.shareCourse(
                course.id,
                of: .user(1),
                with: .onlyMe,
                people: [],
                hiding: track.hiding(300, named: [], names: names),
                at: world.clock.now
            ).get()
            #expect(try await world.store.keptWays(of: course.id) == 1)
            await work.prepare(share.course)
            #expect(try await world.store.keptWays(of: course.id) == 2)
            let commits = await world.store.commitTimes.count
            await work.prepare(share.course)
            #expect(await world.store.commitTimes.count == commits)
        }
    }
}

extension PlaceWorld {
    /// A course of a straight way, ten metres between its points.
    fileprivate func course(ofPoints count: Int) async throws -> Course {
        let points = (0..<count).map { number in
            TrackPoint(
                Coordinate(latitude: 37.5 + Double(number) * 10 / 111_195, longitude: 127),
                time: clock.now - .seconds(Double(10 * (count - number)))
            )
        }
        let draft = CourseDraft(
            source: .file,
            notes: CourseNotes(title: "Tour", memo: "", activity: .ride, photos: []),
            raw: Track(points),
            names: DirectoryNames(state: nil, language: .english),
            at: clock.now
        )
        return try await store.createCourse(
            NewCourse(draft, id: CourseID(high: 0x7000, low: 0x8000_0000_0000_0001)),
            in: FolderChoice(newID: FolderID(high: 0x7000, low: 0x8000_0000_0000_0001), language: .english),
            of: .user(1),
            key: "tour",
            contentHash: [1],
            at: clock.now
        ).get()
    }
}
