import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct CourseListTests {
    /// A course of the model: its positions for its user and for others.
    struct Known {
        var id: CourseID
        /// 0 for a recommended one.
        var user: UInt64
        var folder: UInt64
        var changedAt: Instant
        /// `true` if user 1 may see it as a friend.
        var isShared: Bool
        var box: Box
        var others: Box?
    }

    /// Random courses around the meridian of 180°, and lists of all kinds: pages of any size give what a model gives.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a list is complete, in order and without duplicates`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withStore(users: 1...3) { store async throws in
            try await store.befriend(1, 2)
            try await store.befriend(1, 3)
            try await store.befriend(2, 3)
            for folder in 1...4 as ClosedRange<UInt64> {
                _ = try await store.createFolder(folder, of: .user(folder == 4 ? 1 : folder)).get()
            }
            var known: [Known] = []
            for number in 1...40 as ClosedRange<UInt64> {
                known.append(try await store.add(number, using: &generator))
            }
            for _ in 1...30 {
                let (filter, expected) = Self.list(of: known, using: &generator)
                let limit = Int.random(in: 1...9, using: &generator)
                let listed = try await store.pages(filter, limit: limit)
                #expect(listed == expected.map(\.id), "seed \(seed): \(filter)")
            }
        }
    }

    /// A list with its entries.
    private static func list(of all: [Known], using generator: inout SeededGenerator) -> (CourseFilter, [Known]) {
        let sets: [(set: CourseSet, isOwn: Bool, has: (Known) -> Bool)] = [
            (.mine(nil), true, { $0.user == 1 }),
            (.mine(.folder(4)), true, { $0.folder == 4 }),
            (.mine(.folder(2)), true, { _ in false }),
            (.shared(nil), false, { $0.user > 1 && $0.isShared }),
            (.shared(.user(3)), false, { $0.user == 3 && $0.isShared }),
            (.recommended, false, { $0.user == 0 }),
        ]
        let list = sets[Int.random(in: sets.indices, using: &generator)]
        var filter = CourseFilter(list.set)
        var expected = all.filter(list.has)
        func box(_ course: Known) -> Box? { list.isOwn ? course.box : course.others }
        if Bool.random(using: &generator) {
            let asked = Box.random(using: &generator)
            filter.box = asked
            expected.removeAll { course in !(box(course).map { Box.touch($0, asked) } ?? false) }
        }
        expected.sort { ($0.changedAt, $0.id) > ($1.changedAt, $1.id) }
        if Bool.random(using: &generator) {
            let near = Box.random(using: &generator).centre
            filter.near = near
            let distances = expected.compactMap { course in
                box(course).map { ($0.centre.distanceMetres(to: near), course) }
            }
            expected = distances.sorted { $0.0 == $1.0 ? $0.1.id > $1.1.id : $0.0 < $1.0 }.map(\.1)
        }
        return (filter, expected)
    }

    @Test func `a cursor belongs to the order of its list`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.createCourse(number) }
            let first = try await store.courses.courses(CourseFilter(.mine(nil)), seenBy: .user(1), limit: 1)
            let near = CourseFilter(.mine(nil), near: .meetingPlace)
            #expect(try await store.courses.courses(near, seenBy: .user(1), after: first.next, limit: 9).items == [])
            let nearest = try await store.courses.courses(near, seenBy: .user(1), limit: 1)
            #expect(nearest.next != nil)
            let other = try await store.courses.courses(
                CourseFilter(.mine(nil)),
                seenBy: .user(1),
                after: nearest.next,
                limit: 9
            )
            #expect(other.items == [])
        }
    }

    @Test func `reads a cursor from its text`() {
        for cursor in [
            CourseCursor.changed(at: Instant(milliseconds: .min), .course(1)), .changed(at: .meeting, .course(2)),
            .near(metres: 0, .course(1)), .near(metres: 12_345.678_9, CourseID(high: .max, low: .max)),
        ] {
            #expect(CourseCursor(cursor.description) == cursor)
            #expect(VisitCursor(cursor.description) == nil)
        }
        #expect(CourseCursor(CourseCursor.near(metres: -1, .course(1)).description) == nil)
        #expect(CourseCursor(CourseCursor.near(metres: .nan, .course(1)).description) == nil)
        #expect(CourseCursor("abc") == nil)
    }

    @Test(arguments: [
        (FolderQuery.list, "SEARCH folder USING INDEX folder_by_change (user_id=?)"),
        (FolderQuery.list, "COVERING INDEX course_by_folder (folder_id=?)"),
        (FolderQuery.single, "SEARCH folder USING PRIMARY KEY (id=?)"),
        (FolderQuery.firstCourses, "INDEX course_by_folder (folder_id=?)"),
        (FolderQuery.lastChanged, "COVERING INDEX folder_by_change (user_id=?)"),
        (CourseQuery.byTitle, "INDEX course_by_title (folder_id=? AND title_key=?)"),
        (CourseQuery.room, "COVERING INDEX course_by_change (user_id=?)"),
        (CourseQuery.firstOfUser, "COVERING INDEX course_by_change (user_id=?)"),
        (CourseQuery.track, "sqlite_autoindex_course_track_1 (course_id=?)"),
        (ShownWayQuery.points, "sqlite_autoindex_shown_way_1 (course_id=? AND is_own=?)"),
        (ShownWayQuery.outlines, "sqlite_autoindex_shown_way_1 (course_id=? AND is_own=?)"),
        (ShownWayQuery.pieces, "shown_piece_1 (course_id=? AND is_own=? AND start>? AND start<?)"),
        (CourseQuery.access, "friendship USING PRIMARY KEY (first=? AND second=?)"),
        (CourseQuery.access, "promise_by_course (course_id=?)"),
        (CourseQuery.access, "course_person USING PRIMARY KEY (course_id=? AND user_id=?)"),
        (CourseListQuery.mine.page, "COVERING INDEX course_by_change (user_id=? AND (changed_at,id)<(?,?))"),
        (CourseListQuery.folder.page, "COVERING INDEX course_by_folder (folder_id=? AND (changed_at,id)<(?,?))"),
        (CourseListQuery.recommended.page, "COVERING INDEX course_recommended (user_id=? AND (changed_at,id)<(?,?))"),
        (CourseListQuery.sharedByUser.page, "COVERING INDEX course_shared (user_id=? AND (changed_at,id)<(?,?))"),
        (CourseListQuery.sharedByUser.page, "COVERING INDEX course_person_by_user (user_id=? AND course_id=?)"),
        (CourseListQuery.shared.page, "COVERING INDEX course_shared (user_id=? AND (changed_at,id)<(?,?))"),
        (CourseListQuery.shared.page, "COVERING INDEX course_person_by_user (user_id=? AND course_id=?)"),
        (CourseListQuery.shared.page, "friendship_by_first (first=? AND state=?)"),
        (CourseListQuery.shared.page, "friendship_by_second (second=? AND state=?)"),
        (CourseListQuery.mine.boxes, "SEARCH course USING COVERING INDEX course_by_change (user_id=?)"),
        (CourseListQuery.folder.boxes, "SEARCH course USING COVERING INDEX course_by_folder (folder_id=?)"),
        (CourseListQuery.shared.boxes, "SEARCH course USING COVERING INDEX course_shared (user_id=?)"),
        (CourseListQuery.shared.boxes, "COVERING INDEX course_person_by_user (user_id=? AND course_id=?)"),
        (CourseListQuery.recommended.boxes, "SEARCH course USING COVERING INDEX course_recommended (user_id=?)"),
        (CourseListQuery.sharedByUser.boxes, "SEARCH course USING COVERING INDEX course_shared (user_id=?)"),
        (CourseListQuery.sharedByUser.boxes, "COVERING INDEX course_person_by_user (user_id=? AND course_id=?)"),
    ])
    func `a query of courses searches its index and scans nothing`(sql: String, index: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            // Reads a row only while data is being erased, else only the index.
            let isUsed = plan.contains { $0.withoutCovering.contains(index.withoutCovering) }
            #expect(isUsed, "\(plan)")
            let bare = try await store.plan(of: sql.replacing(CourseQuery.isKept, with: "TRUE"))
            #expect(bare.contains { $0.contains(index) }, "\(bare)")
            // The friends of a user are few and are read by their indexes first. Erasures in progress are rare.
            let few = ["SCAN friend", "SCAN erasing"]
            #expect(plan.filter { $0.hasPrefix("SCAN") && !few.contains($0) } == [], "\(plan)")
            // The check for a running erasure reads one row.
            let looks = plan.filter { $0.hasPrefix("SEARCH erasing") }
            #expect(looks.allSatisfy { $0 == "SEARCH erasing USING PRIMARY KEY (id=?)" }, "\(plan)")
        }
    }
}

extension String {
    /// The step of a plan, with or without all columns in the index.
    fileprivate var withoutCovering: String { replacing("COVERING INDEX", with: "INDEX") }
}

extension Box {
    /// A box of at most a few degrees near the equator and the meridian of 180°.
    fileprivate static func random(using generator: inout SeededGenerator) -> Box {
        let south = Double.random(in: -3...3, using: &generator)
        let west = Double.random(in: 177...183, using: &generator)
        let east = west + Double.random(in: 0...3, using: &generator)
        func wrapped(_ degrees: Double) -> Double { degrees > 180 ? degrees - 360 : degrees }
        return Box(
            south: south,
            west: wrapped(west),
            north: south + Double.random(in: 0...3, using: &generator),
            east: wrapped(east)
        )
    }

    /// `true` if two boxes near the meridian of 180° have a point in common.
    fileprivate static func touch(_ one: Box, _ other: Box) -> Bool {
        func turned(_ degrees: Double) -> Double { degrees < 0 ? degrees + 360 : degrees }
        return one.south <= other.north && other.south <= one.north
            && turned(one.west) <= turned(other.east) && turned(other.west) <= turned(one.east)
    }
}

extension Store {
    /// Adds a course of a random user, whose boxes are random.
    fileprivate func add(_ number: UInt64, using generator: inout SeededGenerator) async throws -> CourseListTests.Known
    {
        let user = UInt64.random(in: 0...3, using: &generator)
        let folder = user == 1 && Bool.random(using: &generator) ? 4 : user
        let others = Int.random(in: 0..<4, using: &generator) > 0 ? Box.random(using: &generator) : nil
        var known = CourseListTests.Known(
            id: .course(number),
            user: user,
            folder: folder,
            changedAt: .meeting + .seconds(Double(Int.random(in: 1...9, using: &generator))),
            isShared: false,
            box: .random(using: &generator),
            others: others
        )
        var draft = CourseDraft.sample(.sample(2))
        draft.way = CourseWay(
            cleanedAt: .meeting,
            startedAt: nil,
            statistics: draft.way.statistics,
            shape: CourseShape(box: known.box),
            hidden: CourseShape(box: known.others)
        )
        guard user > 0 else {
            known.others = known.box
            draft.attribution = CourseAttribution(source: "Operator", licence: "Public domain")
            _ = try await courses.recommendCourse(NewCourse(draft, id: known.id), at: known.changedAt).get()
            return known
        }
        try await createCourse(number, of: .user(user), in: folder, draft: draft, at: known.changedAt)
        known.isShared = try await share(known, using: &generator)
        return known
    }

    /// Shares a course with no user, all friends, user 1 or another friend; `true` if user 1 may see it.
    private func share(
        _ course: CourseListTests.Known,
        using generator: inout SeededGenerator
    ) async throws -> Bool {
        let (first, other): (UInt64, UInt64) = course.user == 1 ? (2, 3) : (1, 5 - course.user)
        let audiences: [(audience: Audience, people: [UserID])] = [
            (.onlyMe, []), (.friends, []), (.people, [.user(other), .user(first)]), (.people, [.user(other)]),
        ]
        let choice = audiences[Int.random(in: audiences.indices, using: &generator)]
        guard choice.audience != .onlyMe else { return false }
        _ = try await courses.shareCourse(
            course.id,
            of: .user(course.user),
            with: choice.audience,
            people: choice.people,
            at: course.changedAt
        ).get()
        return choice.audience == .friends || choice.people.contains(.user(1))
    }

    /// The ids of all pages of a list of user 1.
    fileprivate func pages(_ filter: CourseFilter, limit: Int) async throws(StoreError) -> [CourseID] {
        var (listed, cursor): ([CourseID], CourseCursor?) = ([], nil)
        repeat {
            let page = try await courses.courses(filter, seenBy: .user(1), after: cursor, limit: limit)
            listed += page.items.map(\.id)
            cursor = page.next
        } while cursor != nil
        return listed
    }
}
