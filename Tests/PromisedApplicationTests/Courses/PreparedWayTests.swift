import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PreparedWayTests {
    @Test(.proves("17.8"), arguments: [(2_000, 0), (2_001, 2)])
    func `stores a long way for its user and for others in advance`(
        points: Int,
        kept: Int
    ) async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let work = CourseWork(directory: world.directory, store: world.store)
            let course = try await world.course(ofPoints: points)
            await work.prepare([course])
            #expect(try await world.store.courses.keptWays(of: course.id) == kept)
            _ = try await world.store.friendships.changeFriendship(
                between: .user(1),
                and: .user(2),
                at: world.clock.now
            ) {
                pair,
                _ in
                pair.state = .friends
            }
            _ = try await world.store.courses.shareCourse(course.id, of: .user(1), with: .friends, at: world.clock.now)
                .get()
            // Each sees the page computed from the points; the friend misses 200 m to 400 m at each end.
            for (user, hidden) in [(1, 0...0), (2, 2 * 20...2 * 41)] as [(UInt64, ClosedRange<Int>)] {
                let seen = try #require(try await world.store.courses.track(of: course.id, seenBy: .user(user))).seen
                #expect(hidden.contains(points - seen.points.count))
                let part = try await world.store.courses.shownPart(TrackPart(), of: course.id, seenBy: .user(user))
                #expect(part == (kept == 0 ? .unknown : .page(TrackPart().page(of: seen))), "user \(user)")
            }
        }
    }

    @Test func `stores a recommended course as all users see it`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let work = CourseWork(directory: world.directory, store: world.store)
            var draft = try await world.draft(ofPoints: 2_500)
            draft.source = .operator
            draft.attribution = CourseAttribution(source: "Trails", licence: "CC0")
            let course = try await world.store.courses.recommendCourse(
                NewCourse(draft, id: CourseID(high: 0x7000, low: 0x8000_0000_0000_0002)),
                at: world.clock.now
            ).get()
            await work.prepare([course])
            #expect(try await world.store.courses.keptWays(of: course.id) == 1)
            let part = try await world.store.courses.shownPart(TrackPart(), of: course.id, seenBy: .user(2))
            guard case .page(let page) = part else { throw StoreError.broken("Nothing is kept") }
            #expect(page.total == 2_500)
        }
    }

    @Test func `new hidden ends recompute the way of others, each once`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let work = CourseWork(directory: world.directory, store: world.store)
            let course = try await world.course(ofPoints: 2_500)
            await work.prepare([course])
            let track = try #require(try await world.store.courses.track(of: course.id))
            let names = DirectoryNames(state: nil, language: .english)
            let share = try await world.store.courses.shareCourse(
                course.id,
                of: .user(1),
                with: .onlyMe,
                people: [],
                hiding: track.hiding(300, named: [], names: names),
                at: world.clock.now
            ).get()
            #expect(try await world.store.courses.keptWays(of: course.id) == 1)
            await work.prepare([share.course])
            #expect(try await world.store.courses.keptWays(of: course.id) == 2)
            let commits = await world.store.upkeep.commitTimes.count
            await work.prepare([share.course])
            #expect(await world.store.upkeep.commitTimes.count == commits)
        }
    }
}

extension PlaceWorld {
    /// A course of a straight way, ten metres between its points.
    fileprivate func course(ofPoints count: Int) async throws -> Course {
        let draft = try await draft(ofPoints: count)
        return try await store.courses.createCourse(
            NewCourse(draft, id: CourseID(high: 0x7000, low: 0x8000_0000_0000_0001)),
            in: FolderChoice(newID: FolderID(high: 0x7000, low: 0x8000_0000_0000_0001), language: .english),
            of: .user(1),
            key: "tour",
            contentHash: [1],
            at: clock.now
        ).get()
    }

    fileprivate func draft(ofPoints count: Int) async throws -> CourseDraft {
        let points = (0..<count).map { number in
            TrackPoint(
                Coordinate(latitude: 37.5 + Double(number) * 10 / 111_195, longitude: 127),
                time: clock.now - .seconds(Double(10 * (count - number)))
            )
        }
        return CourseDraft(
            source: .file,
            notes: CourseNotes(title: "Tour", memo: "", activity: .ride, photos: []),
            raw: Track(points),
            secret: try await store.courses.endsSecret(of: .user(1)),
            names: DirectoryNames(state: nil, language: .english),
            at: clock.now
        )
    }
}
