import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct CourseSharingTests {
    /// Which of the courses of user 1 (private, for friends, for people) a user sees.
    struct Viewer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var number: UInt64 = 2
        /// Runs after user 1 has shared the last course with the friends 2 and 3.
        var becomes: @Sendable (Store) async throws -> Void = { _ in }
        var sees: Set<UInt64>
        var isListed = true

        static let all = [
            Viewer(testDescription: "the user", number: 1, sees: [1, 2, 3], isListed: false),
            Viewer(testDescription: "a chosen friend", sees: [2, 3]),
            Viewer(testDescription: "another friend", number: 4, sees: [2]),
            Viewer(testDescription: "a stranger", number: 5, sees: []),
            Viewer(testDescription: "an unknown user", number: 9, sees: []),
            Viewer(testDescription: "a former friend", becomes: { try await $0.part(1, 2) }, sees: []),
            Viewer(
                testDescription: "a friend again",
                becomes: { store in
                    try await store.part(1, 2)
                    try await store.befriend(2, 1)
                },
                sees: [2]
            ),
            Viewer(
                testDescription: "a friend again after a block by the user",
                becomes: { store in
                    _ = try await store.friendships.block(.user(2), by: .user(1), at: .meeting)
                    try await store.unblock(.user(2), by: .user(1))
                    try await store.befriend(1, 2)
                },
                sees: [2]
            ),
            Viewer(
                testDescription: "a friend again after a block by the friend",
                becomes: { store in
                    _ = try await store.friendships.block(.user(1), by: .user(2), at: .meeting)
                    try await store.unblock(.user(1), by: .user(2))
                    try await store.befriend(1, 2)
                },
                sees: [2]
            ),
            Viewer(
                testDescription: "a friend that the user blocks",
                becomes: { _ = try await $0.friendships.block(.user(2), by: .user(1), at: .meeting) },
                sees: []
            ),
            Viewer(
                testDescription: "a friend who blocks the user",
                becomes: { _ = try await $0.friendships.block(.user(1), by: .user(2), at: .meeting) },
                sees: []
            ),
            Viewer(
                testDescription: "a participant",
                number: 5,
                becomes: { try await $0.open(.sample().carrying(.course(1)), with: [.accepted(.user(5))]) },
                sees: [1],
                isListed: false
            ),
            Viewer(
                testDescription: "an invited stranger",
                number: 5,
                becomes: { try await $0.open(.sample().carrying(.course(3)), with: [.invited(.user(5))]) },
                sees: [3],
                isListed: false
            ),
            Viewer(
                testDescription: "a participant who left",
                number: 5,
                becomes: { store in
                    try await store.open(.sample().carrying(.course(1)), with: [.left(.user(5), at: .meeting)])
                },
                sees: []
            ),
            Viewer(
                testDescription: "a participant who blocks the user",
                number: 5,
                becomes: { store in
                    try await store.open(.sample().carrying(.course(1)), with: [.accepted(.user(5))])
                    _ = try await store.friendships.block(.user(1), by: .user(5), at: .meeting)
                },
                sees: []
            ),
        ]
    }

    @Test(.proves("17.9"), arguments: Viewer.all)
    func `a user sees only courses with a matching audience`(viewer: Viewer) async throws {
        try await withStore(users: 1...5) { store async throws in
            for other in 2...4 as ClosedRange<UInt64> { try await store.befriend(1, other) }
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add([.sample(number)])
                try await store.createCourse(number, photos: [number])
            }
            try await store.share(2, with: .friends)
            try await store.share(3, with: .people, [2, 3])
            try await viewer.becomes(store)
            let user = UserID.user(viewer.number)
            var single: Set<UInt64> = []
            for number in 1...4 as ClosedRange<UInt64> {
                let course = try await store.courses.course(.course(number), seenBy: user)
                if course != nil { single.insert(number) }
                let photo = try await store.files.file(.file(number), readableBy: user)
                #expect((photo != nil) == (course != nil))
                let track = try await store.courses.track(of: .course(number), seenBy: user)
                #expect((track != nil) == (course != nil) && track?.isOwn != (user != .user(1)))
                guard let course, user != .user(1) else { continue }
                #expect(course.way.startedAt == nil && course.way.shape.stops == [] && course.sharing.people == [])
                #expect(track?.seen.points.allSatisfy { $0.time == nil } == true)
            }
            #expect(single == viewer.sees)
            let listed = viewer.isListed ? viewer.sees : []
            for set in [CourseSet.shared(nil), .shared(.user(1))] {
                let page = try await store.courses.courses(CourseFilter(set), seenBy: user, limit: 9)
                #expect(Set(page.items.map(\.id)) == Set(listed.map(CourseID.course)) && page.next == nil)
                #expect(page.items.allSatisfy { $0.way.startedAt == nil })
            }
        }
    }

    @Test func `sharing requires friends and notifies the new ones`() async throws {
        try await withStore(users: 1...4) { store async throws in
            try await store.befriend(1, 2)
            try await store.befriend(3, 1)
            try await store.createCourse(1)
            func share(
                _ audience: Audience,
                _ people: [UInt64],
                by user: UInt64 = 1
            ) async throws -> Result<CourseShare, Refusal> {
                try await store.courses.shareCourse(
                    .course(1),
                    of: .user(user),
                    with: audience,
                    people: people.map(UserID.user),
                    at: .meeting + .hours(1)
                )
            }
            #expect(try await share(.people, [2, 4]) == .failure(.invalid(field: "userIds")))
            #expect(try await share(.people, []) == .failure(.invalid(field: "userIds")))
            #expect(try await share(.companions, []) == .failure(.invalid(field: "audience")))
            #expect(try await share(.friends, [], by: 2) == .failure(.courseNotFound))
            let shared = try await share(.people, [3, 2]).get()
            #expect(shared.newPeople == [3, 2].map(UserID.user) && shared.course.version == 2)
            #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == shared.course)
            #expect(try await share(.people, [2]).get().newPeople == [])
            #expect(try await share(.friends, []).get().newPeople == [])
            let ended = try await share(.onlyMe, []).get().course
            #expect(ended.sharing == CourseSharing() && ended.version == 5)
            #expect(try await store.count("course_person") == 0)
        }
    }

    @Test func `a new distance rewrites the visible part, also in the boxes of lists`() async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.befriend(1, 2)
            let way = Track.sample(200)
            let kept = try await store.createCourse(1, draft: .sample(way, waypoints: [.note("Bench", metres: 450)]))
            try await store.share(1, with: .friends)
            let near = Box(Coordinate.meetingPlace.north(450))
            func listed() async throws -> [Course] {
                try await store.courses.courses(CourseFilter(.shared(nil), box: near), seenBy: .user(2), limit: 9).items
            }
            #expect(try await listed().map(\.waypoints).map { $0.map(\.name) } == [["Bench"]])
            func hiding(_ metres: Int) async throws -> CourseHiding {
                try #require(try await store.courses.track(of: .course(1), seenBy: .user(1)))
                    .hiding(metres, named: kept.named, names: Cafes())
            }
            let stale = try await hiding(0)
            for (metres, isListed, isSeen) in [(460, false, true), (1_000, false, false), (0, true, true)] {
                let hiding = try await hiding(metres)
                let shared = try await store.courses.shareCourse(
                    .course(1),
                    of: .user(1),
                    with: .friends,
                    hiding: hiding,
                    at: .meeting
                )
                let course = try shared.get().course
                #expect(try await store.courses.course(.course(1), seenBy: .user(1)) == course)
                #expect(course.sharing.hideMetres == metres)
                #expect(try await listed().isEmpty != isListed)
                let seen = try #require(try await store.courses.course(.course(1), seenBy: .user(2)))
                #expect((seen.way.shape.box != nil) == isSeen && seen.sharing.hideMetres == 0)
                let all = try await store.courses.courses(CourseFilter(.shared(nil)), seenBy: .user(2), limit: 9)
                #expect(all.items == [seen])
                let nearest = CourseFilter(.shared(nil), near: .meetingPlace)
                #expect(
                    try await store.courses.courses(nearest, seenBy: .user(2), limit: 9).items == (isSeen ? [seen] : [])
                )
                // The user's own list uses the complete way.
                let mine = try await store.courses.courses(
                    CourseFilter(.mine(nil), box: near),
                    seenBy: .user(1),
                    limit: 9
                )
                #expect(mine.items == [course])
            }
            let late = try await store.courses.shareCourse(
                .course(1),
                of: .user(1),
                with: .friends,
                hiding: stale,
                at: .meeting
            )
            #expect(late == .failure(.courseStaleVersion))
        }
    }

    @Test func `a copy belongs to the viewer and has the visible part`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            try await store.add([.sample(1)])
            try await store.createCourse(1, draft: .sample(waypoints: [.note("Bench", metres: 500)]), photos: [1])
            try await store.share(1, with: .friends)
            let course = try #require(try await store.courses.course(.course(1), seenBy: .user(2)))
            let track = try #require(try await store.courses.track(of: .course(1), seenBy: .user(2)))
            let secret = try await store.courses.endsSecret(of: .user(2))
            let draft = CourseDraft(copying: course, track, secret: secret, names: Cafes(), at: .meeting)
            func copy(_ number: UInt64, version: Int = 2, by user: UInt64 = 2) async throws -> Result<Course, Refusal> {
                try await store.courses.copyCourse(
                    .course(1),
                    version: version,
                    to: NewCourse(draft, id: .course(number)),
                    in: FolderChoice(newID: .folder(2), language: .english),
                    of: .user(user),
                    key: "copy",
                    contentHash: [],
                    at: .meeting
                )
            }
            #expect(try await copy(2, version: 1) == .failure(.courseStaleVersion))
            #expect(try await copy(2, by: 3) == .failure(.courseNotFound))
            let made = try await copy(2).get()
            #expect(made.userID == .user(2) && made.source == .copy && made.sharing == CourseSharing())
            #expect(made.notes.photos == [] && made.waypoints.map(\.name) == ["Bench"])
            #expect(try await copy(3).get() == made)
            let own = try await store.courses.track(of: .course(2), seenBy: .user(2))
            #expect(own?.raw == track.seen)
            // It remains after the end of the friendship and the deletion of the original.
            try await store.part(1, 2)
            _ = try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting)
            #expect(try await store.courses.course(.course(2), seenBy: .user(2)) == made)
        }
    }

    @Test func `every user sees recommended courses with their ends`() async throws {
        try await withStore(users: 1...1) { store async throws in
            var draft = CourseDraft.sample()
            let without = try await store.courses.recommendCourse(NewCourse(draft, id: .course(1)), at: .meeting)
            #expect(without == .failure(.invalid(field: "attribution")))
            draft.attribution = CourseAttribution(source: "Seoul", licence: "KOGL 1", region: RegionCode(text: "KR-11"))
            let made = try await store.courses.recommendCourse(NewCourse(draft, id: .course(1)), at: .meeting).get()
            #expect(made.userID == nil && made.source == .operator)
            let seen = try #require(try await store.courses.course(.course(1), seenBy: .user(1)))
            #expect(seen.attribution == draft.attribution && seen.way.shape.box == draft.way.shape.box)
            #expect(seen.way.startedAt == nil && seen.way.shape.stops == [])
            #expect(try await store.courses.track(of: .course(1), seenBy: .user(9))?.seen.points.count == 100)
            let list = CourseFilter(.recommended, box: Box(.meetingPlace))
            #expect(try await store.courses.courses(list, seenBy: .user(1), limit: 9).items == [seen])
            #expect(try await store.courses.recommendedCourses(limit: 9).items == [seen])
            #expect(try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting) == nil)
            try await store.createCourse(2)
            #expect(try await store.courses.removeRecommendedCourse(.course(2)) == false)
            let counts = try await store.courses.courseCounts()
            #expect(counts.courses == [.operator: 1, .file: 1, .copy: 0, .promise: 0, .recording: 0])
            #expect(counts.points == 200)
            #expect(try await store.courses.removeRecommendedCourse(.course(1)))
            #expect(try await store.courses.courses(list, seenBy: .user(1), limit: 9).items == [])
        }
    }
}

extension CourseSharingTests {
    @Test(.proves("17.9"))
    func `the end of a friendship removes both only from each other's lists`()
        async throws
    {
        try await withStore(users: 1...3) { store async throws in
            for (one, other) in [(1, 2), (1, 3), (2, 3)] as [(UInt64, UInt64)] { try await store.befriend(one, other) }
            for user in 1...3 as ClosedRange<UInt64> {
                try await store.createCourse(user, of: .user(user))
                try await store.share(user, of: .user(user), with: .people, (1...3).filter { $0 != user })
            }
            try await store.part(2, 1)
            func people(_ user: UInt64) async throws -> [UserID] {
                try #require(try await store.courses.course(.course(user), seenBy: .user(user))).sharing.people
            }
            #expect(try await people(1) == [.user(3)])
            #expect(try await people(2) == [.user(3)])
            #expect(try await people(3) == [.user(1), .user(2)])
        }
    }

    @Test(.proves("17.9")) func `a request, its withdrawal and a removed block change no list`() async throws {
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            try await store.createCourse(1)
            try await store.share(1, with: .people, [2])
            _ = try await store.friendships.block(.user(3), by: .user(1), at: .meeting)
            try await store.unblock(.user(3), by: .user(1))
            try await store.befriend(1, 2)
            #expect(try await store.courses.course(.course(1), seenBy: .user(1))?.sharing.people == [.user(2)])
        }
    }
}

extension Store {
    fileprivate func unblock(_ other: UserID, by user: UserID) async throws {
        let outcome = try await friendships.changeFriendship(between: user, and: other, at: .meeting) { pair, _ in
            pair.unblock(by: user)
        }
        _ = try outcome.get()
    }

    /// Ends a friendship.
    func part(_ one: UInt64, _ other: UInt64) async throws {
        let outcome = try await friendships.changeFriendship(between: .user(one), and: .user(other), at: .meeting) {
            pair,
            _ in
            pair.state = .none
        }
        _ = try outcome.get()
    }
}
