import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import Testing

@Suite struct CourseEditTests {
    private static let now = RandomTrack.start + .hours(10)

    @Test func `an edit changes its fields, and the version once`() throws {
        var course = Course.sample()
        var edit = CourseEdit(version: 1)
        (edit.title, edit.memo, edit.activity, edit.folderID) = ("Home", "", .run, .folder(2))
        edit.photos = [Photo(fileID: FileID(high: 1, low: 1))]
        edit.waypoints = course.track(isOwn: true).placing([.note("Bench", metres: 500)])
        let before = course
        try course.apply(edit, at: Self.now)
        #expect(course.notes.title == "Home" && course.notes.memo == "" && course.notes.activity == .run)
        #expect(course.notes.photos.count == 1 && course.home?.folderID == .folder(2))
        #expect(course.waypoints.map(\.name) == ["Bench"])
        #expect(course.version == 2 && course.changedAt == Self.now && course.way == before.way)
        #expect(throws: Refusal.courseStaleVersion) { try course.apply(edit, at: Self.now) }
        var back = CourseEdit(version: 2)
        back.waypoints = []
        try course.apply(back, at: Self.now)
        #expect(course.waypoints == course.way.shape.waypoints && course.waypoints.count == 7)
    }

    @Test func `an edit without a change keeps the version`() throws {
        var course = Course.sample()
        let before = course
        var edit = CourseEdit(version: 1)
        edit.title = course.notes.title
        try course.apply(edit, at: Self.now)
        #expect(course == before)
    }

    @Test(
        arguments: [
            ("title", 0, false), ("title", 1, true), ("title", 60, true), ("title", 61, false),
            ("memo", 2_000, true), ("memo", 2_001, false),
            ("photos", 10, true), ("photos", 11, false), ("photos.caption", 100, true), ("photos.caption", 101, false),
            ("waypoints", 50, true), ("waypoints", 51, false),
            ("waypoints.name", 100, true), ("waypoints.name", 101, false),
        ]
    )
    func `accepts a field up to its limit`(field: String, count: Int, isAllowed: Bool) {
        var edit = CourseEdit(version: 1)
        let text = String(repeating: "가", count: count)
        let note = NamedWaypoint(.note(field == "waypoints.name" ? text : "a", metres: 0), othersAtMetres: nil)
        switch field {
        case "title": edit.title = text
        case "memo": edit.memo = text
        case "photos": edit.photos = (0..<count).map { Photo(fileID: FileID(high: 1, low: UInt64($0))) }
        case "photos.caption": edit.photos = [Photo(fileID: FileID(high: 1, low: 1), caption: text)]
        case "waypoints": edit.waypoints = Array(repeating: note, count: count)
        default: edit.waypoints = [note]
        }
        var course = Course.sample()
        let result = Result { () throws(Refusal) in try course.apply(edit, at: Self.now) }
        #expect(result.refusal == (isAllowed ? nil : .invalid(field: field)))
        #expect(course.version == (isAllowed ? 2 : 1))
    }

    @Test func `a way-point lies on the earth`() {
        var edit = CourseEdit(version: 1)
        let place = Place(name: "", coordinate: Coordinate(latitude: 91, longitude: 0))
        let waypoint = CourseWaypoint(name: "", place: place, kind: .note, atMetres: 0)
        edit.waypoints = [NamedWaypoint(waypoint, othersAtMetres: nil)]
        var course = Course.sample()
        #expect(throws: Refusal.invalid(field: "waypoints.place")) { try course.apply(edit, at: Self.now) }
    }

    @Test(
        .proves("course.limit"),
        arguments: [
            (4_999, 0, nil), (5_000, 0, .courseLimit), (0, 4_999_900, nil), (0, 4_999_901, .courseLimit),
        ] as [(Int, Int, Refusal?)]
    )
    func `a user has room for 5,000 courses and 5,000,000 points`(courses: Int, points: Int, refusal: Refusal?) {
        let ways = [CourseDraft.sample(100).way]
        let result = Result { () throws(Refusal) in
            try CourseLimits.check(adding: ways, to: courses, points: points)
        }
        #expect(result.refusal == refusal)
    }

    @Test(arguments: [(0, false), (1, false), (2, true)])
    func `a course has two counted points`(count: Int, isAllowed: Bool) {
        let ways = [CourseDraft.sample(9).way, CourseDraft.sample(count).way]
        let result = Result { () throws(Refusal) in try CourseLimits.check(adding: ways, to: 0, points: 0) }
        #expect(result.refusal == (isAllowed ? nil : .courseTooShort))
    }

    @Test(
        arguments: [
            ([], "Ride", "Ride"), (["ride"], "Ride", "Ride (2)"),
            (["ride", "ride (2)", "ride (4)"], "Ride", "Ride (3)"), (["ride (2)"], "Ride", "Ride"),
            ([], String(repeating: "a", count: 61), String(repeating: "a", count: 60)),
            ([], String(repeating: "a", count: 59) + " b", String(repeating: "a", count: 59)),
            (
                [String(repeating: "a", count: 60)], String(repeating: "a", count: 60),
                String(repeating: "a", count: 56) + " (2)"
            ),
            (
                [String(repeating: "a", count: 55) + " bcde"], String(repeating: "a", count: 55) + " bcde",
                String(repeating: "a", count: 55) + " (2)"
            ),
        ] as [(Set<String>, String, String)]
    )
    func `adds a number to a generated title that is in use`(
        taken: Set<String>,
        suggestion: String,
        title: String
    ) {
        #expect(CourseTitle.free(suggestion) { taken.contains($0) } == title)
    }
}
