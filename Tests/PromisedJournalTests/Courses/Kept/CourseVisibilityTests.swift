import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import Testing

@Suite struct CourseVisibilityTests {
    /// A relation to the user of a course, and the audiences with which it shows the course.
    struct Viewer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var relation = Audience.Relation()
        var isCarried = false
        let sees: Set<Audience>

        static let courses: Set<Audience> = [.onlyMe, .friends, .people]
        static let all = [
            Viewer(testDescription: "self", relation: .init(isSelf: true), sees: courses),
            Viewer(testDescription: "friend", relation: .init(isFriend: true), sees: [.friends]),
            Viewer(
                testDescription: "chosen friend",
                relation: .init(isFriend: true, isNamed: true),
                sees: [.friends, .people]
            ),
            Viewer(testDescription: "chosen former friend", relation: .init(isNamed: true), sees: []),
            Viewer(testDescription: "stranger, also an administrator", sees: []),
            Viewer(testDescription: "participant", isCarried: true, sees: courses),
            Viewer(
                testDescription: "blocked participant",
                relation: .init(isBlocked: true),
                isCarried: true,
                sees: []
            ),
            Viewer(
                testDescription: "blocked chosen friend",
                relation: .init(isFriend: true, isNamed: true, isBlocked: true),
                sees: []
            ),
        ]
    }

    @Test(.proves("17.9"), arguments: Viewer.all, [Audience.onlyMe, .friends, .people])
    func `the audience and participants see a course`(viewer: Viewer, audience: Audience) {
        let isVisible = Course.isVisible(
            of: .number(1),
            for: audience,
            to: viewer.relation,
            isCarried: viewer.isCarried
        )
        #expect(isVisible == viewer.sees.contains(audience))
        #expect(Course.isVisible(of: nil, for: audience, to: viewer.relation, isCarried: viewer.isCarried))
    }

    @Test(.proves("17.8"), .defends("home-of-a-course"))
    func `hides times, ends and private fields from others`() throws {
        var draft = CourseDraft.sample(waypoints: [
            .note("End", metres: 900), .note("Home", metres: 20), .note("Bench", metres: 500),
        ])
        draft.promiseID = PromiseID(high: 1, low: 1)
        var course = Course.sample(draft)
        try course.share(with: .people, people: [.number(2)], at: RandomTrack.start)
        #expect(course.waypoints.map(\.name) == ["Home", "Bench", "End"])
        #expect(course.waypoints.map { $0.atMetres.rounded() } == [20, 500, 900])
        let seen = course.seen(by: .number(2))
        #expect(seen == course.forOthers && seen.userID == .number(1))
        #expect(seen.home?.folderID != .folder(1) && seen.promiseID == nil && seen.way.startedAt == nil)
        #expect(seen.sharing.people == [] && seen.sharing.hideMetres == 0 && seen.sharing.audience == .people)
        #expect(seen.notes == course.notes && seen.way.statistics == course.way.hiddenStatistics)
        // Of the way from 0 to 990 m the first and the last 200 m to 400 m are hidden.
        #expect(seen.waypoints.map(\.name) == ["Bench"])
        #expect(seen.waypoints.allSatisfy { (90...300).contains($0.atMetres) })
        let points = seen.way.shape.outlines.compactMap(Polyline.decode).joined()
        for end in [0, 990] as [Double] {
            #expect(points.allSatisfy { $0.distanceMetres(to: .onWay(metres: end)) > 200 })
        }
        #expect(course.seen(by: .number(1)) == course)
    }

    @Test func `hides the way of a completely hidden course`() {
        let seen = Course.sample(.sample(20)).forOthers
        #expect(seen.way.shape == CourseShape() && seen.waypoints == [])
        #expect(seen.way.statistics == CourseStatistics())
    }

    @Test func `a recommended course hides no end`() {
        let draft = CourseDraft(
            source: .operator,
            notes: CourseNotes(title: "Along the river"),
            raw: .straight(100),
            way: CourseWay(
                .straight(100),
                hiding: 0,
                secret: .sample,
                names: NoNames(),
                at: RandomTrack.start + .hours(9)
            ),
            named: [NamedWaypoint(.note("Gate", metres: 30), othersAtMetres: nil)],
            attribution: CourseAttribution(source: "Seoul", licence: "KOGL 1")
        )
        let course = Course.sample(draft, isRecommended: true)
        let seen = course.seen(by: .number(1))
        #expect(seen.userID == nil && seen.way.startedAt == nil && seen.attribution == draft.attribution)
        #expect(seen.way.shape.box == course.way.shape.box && seen.way.shape.outlines == course.way.shape.outlines)
        #expect(seen.waypoints == draft.named.map(\.waypoint))
    }
}
