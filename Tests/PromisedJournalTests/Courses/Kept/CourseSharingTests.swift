import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct CourseSharingTests {
    private static let now = RandomTrack.start + .hours(10)

    @Test(
        arguments: [
            (.onlyMe, 0...0, nil), (.friends, 0...0, nil), (.people, 1...1, nil), (.people, 2...51, nil),
            (.people, 2...52, "userIds"), (.people, 0...0, "userIds"), (.people, 1...3, "userIds"),
            (.friends, 2...2, "userIds"), (.onlyMe, 2...2, "userIds"), (.companions, 0...0, "audience"),
        ] as [(Audience, ClosedRange<UInt64>, String?)]
    )
    func `an audience has its people`(audience: Audience, users: ClosedRange<UInt64>, field: String?) {
        // 0 means no user, and 1 is the owner, who can be chosen only in the case of one other.
        var people = users.filter { $0 > 0 }.map(UserID.number)
        if people == [.number(1)] { people = [.number(2)] }
        var course = Course.sample()
        let result = Result { () throws(Refusal) in try course.share(with: audience, people: people, at: Self.now) }
        #expect(result.refusal == field.map { .invalid(field: $0) })
        let isChanged = field == nil && audience != .onlyMe
        #expect(course.version == (isChanged ? 2 : 1))
        #expect(course.sharing.audience == (field == nil ? audience : .onlyMe))
    }

    @Test func `rejects a person chosen twice`() {
        var course = Course.sample()
        #expect(throws: Refusal.invalid(field: "userIds")) {
            try course.share(with: .people, people: [.number(2), .number(2)], at: Self.now)
        }
    }

    @Test func `a new distance changes the way and way-points that others see`() throws {
        let draft = CourseDraft.sample(300, waypoints: [.note("Bench", metres: 600)])
        var course = Course.sample(draft)
        // Its way begins 200 m to 400 m from the start for others.
        let metres = try #require(course.named.first?.othersAtMetres)
        #expect((190...400).contains(metres))
        let hiding = course.track(isOwn: true, points: 300).hiding(650, named: course.named, names: NoNames())
        try course.share(with: .friends, hiding: hiding, at: Self.now)
        #expect(course.sharing.hideMetres == 650 && course.version == 2 && course.changedAt == Self.now)
        #expect(course.named.map(\.othersAtMetres) == [nil])
        #expect(course.waypoints.map(\.name) == ["Bench"])
        let box = try #require(course.forOthers.way.shape.box)
        #expect(box.south > Coordinate.onWay(metres: 650).latitude)
        #expect(box.north < Coordinate.onWay(metres: 2_340).latitude)
        // Hidden parts computed by an earlier version may be incomplete.
        #expect(throws: Refusal.courseStaleVersion) { try course.share(with: .friends, hiding: hiding, at: Self.now) }
        #expect(course.version == 2)
    }

    @Test(arguments: [(0, true), (1_000, true), (-1, false), (1_001, false)])
    func `the distance lies within its bounds`(metres: Int, isAllowed: Bool) {
        var course = Course.sample()
        let hiding = course.track(isOwn: true).hiding(metres, named: [], names: NoNames())
        let result = Result { () throws(Refusal) in try course.share(with: .friends, hiding: hiding, at: Self.now) }
        #expect(result.refusal == (isAllowed ? nil : .invalid(field: "hideMetres")))
    }

    @Test(arguments: [0, 1, 199, 200, 201, 1_000])
    func `hides the ends from others, not from the user`(metres: Int) {
        for seed in 1...40 as ClosedRange<UInt64> {
            let raw = Track(RandomTrack(seed: seed).points)
            let own = CourseTrack.sample(raw, hiding: metres, isOwn: true, at: Self.now)
            let theirs = CourseTrack.sample(raw, hiding: metres, isOwn: false, at: Self.now)
            let clean = CleanTrack(raw, at: Self.now).track
            #expect(own.seen == clean, "seed \(seed)")
            let ends = [clean.points.first, clean.points.last].compactMap { $0?.coordinate }
            for point in theirs.seen.points {
                #expect(point.time == nil && point.accuracyMetres == nil && point.speedMps == nil, "seed \(seed)")
                let isFar = ends.allSatisfy { $0.distanceMetres(to: point.coordinate) > Double(metres) }
                #expect(metres == 0 || isFar, "seed \(seed)")
            }
        }
    }

    @Test(.proves("17.8"), arguments: [1, 50, 200, 1_000])
    func `every view of a course shows others the same part`(metres: Int) throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            let raw = Track(RandomTrack(seed: seed).points)
            let theirs = CourseTrack.sample(raw, hiding: metres, isOwn: false, at: Self.now)
            let own = CourseTrack.sample(raw, hiding: metres, isOwn: true, at: Self.now)
            let seen = theirs.seen
            #expect(own.seenByAll.others == seen && theirs.seenByAll.others == seen, "seed \(seed)")
            let other = CourseTrack.sample(raw, hiding: 300, isOwn: true, at: Self.now)
            #expect(other.forOthers(hiding: metres).seen == seen, "seed \(seed)")
            let way = CourseWay(raw, hiding: metres, secret: .sample, names: NoNames(), at: Self.now)
            #expect(way.hidden.outlines == seen.outlined(to: Track.outlineLimit).polylines, "seed \(seed)")
            #expect(way.hidden.box == seen.box, "seed \(seed)")
            let hiding = own.hiding(metres, named: [], names: NoNames())
            #expect(hiding.shape == way.hidden && hiding.statistics == way.hiddenStatistics, "seed \(seed)")
            // The numbers of the visible points, whose steps are at least as long as the counted ones.
            let (numbers, visible) = (way.hiddenStatistics, CourseStatistics(of: seen))
            let steps = seen.segments.flatMap { segment in
                zip(seen.points[segment], seen.points[segment].dropFirst())
                    .map { $0.coordinate.distanceMetres(to: $1.coordinate) }
            }
            #expect(numbers.points == visible.points && numbers.dropped == 0, "seed \(seed)")
            #expect(numbers.distanceMetres <= steps.reduce(0.001, +), "seed \(seed)")
            #expect(numbers.minAltitudeMetres == visible.minAltitudeMetres, "seed \(seed)")
        }
    }

    @Test func `a copy has the visible part, without photos and names`() throws {
        var draft = CourseDraft.sample(waypoints: [.note("Bench", metres: 500), .note("Home", metres: 0)])
        draft.notes.photos = [Photo(fileID: FileID(high: 1, low: 1))]
        draft.attribution = CourseAttribution(source: "Seoul", licence: "KOGL 1")
        let course = Course.sample(draft)
        let copy = CourseDraft(
            copying: course.forOthers,
            course.track(isOwn: false),
            secret: EndsSecret(first: 3, second: 4),
            names: NoNames(),
            at: Self.now
        )
        #expect(copy.notes == CourseNotes(title: "To the pier", memo: "Windy\nand wet", activity: .walk))
        #expect(copy.source == .copy && !copy.isTitleChosen && copy.attribution == draft.attribution)
        #expect(copy.raw == course.track(isOwn: false).seen)
        #expect(copy.raw.points.allSatisfy { $0.time == nil } && copy.way.startedAt == nil)
        #expect(copy.named.map(\.waypoint.name) == ["Bench"])
        #expect(copy.way.statistics.distanceMetres < course.way.statistics.distanceMetres - 400)
    }
}

extension CourseTrack {
    fileprivate static func sample(_ raw: Track, hiding metres: Int, isOwn: Bool, at now: Instant) -> CourseTrack {
        CourseTrack(raw: raw, cleanedAt: now, hideMetres: metres, secret: .sample, isOwn: isOwn, version: 1)
    }
}

extension Result where Failure == Refusal {
    /// The refusal; nil for a success.
    var refusal: Refusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}
