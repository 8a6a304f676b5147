import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct CopyWatchTests {
    private static let (course, copy) = (CourseID(high: 1, low: 1), CourseID(high: 1, low: 2))

    /// User 1 has a course, and a copy of it belongs to a user.
    private static func committed(copyOf user: UInt64, source: String = "copy") -> CommittedRows {
        var committed = CommittedRows()
        committed.owned.courses[course] = .init(userID: .user(1), source: "file", audience: "friends", points: 20)
        committed.owned.courses[copy] = .init(userID: .user(user), source: source, audience: "private")
        return committed
    }

    @Test func `accepts one copy of a visible course`() throws {
        var watch = CopyWatch()
        let committed = Self.committed(copyOf: 2)
        watch.noteArrival(of: Self.course, in: committed)
        watch.allow(Self.course, for: .user(2))
        try watch.noteMade(Self.copy, of: Self.course, by: .user(2), in: committed)
        try watch.noteMade(Self.copy, of: Self.course, by: .user(2), in: committed)
        #expect(watch.foreign == [Self.copy: .init(ownerID: .user(2), points: 20)])
        let other = CourseID(high: 1, low: 3)
        #expect(throws: Violation.self) { try watch.noteMade(other, of: Self.course, by: .user(2), in: committed) }
        // Once the first is deleted, the same request makes another.
        var deleted = committed
        deleted.owned.courses[Self.copy] = nil
        try watch.noteMade(other, of: Self.course, by: .user(2), in: deleted)
    }

    @Test func `finds a copy for a user outside the audience, or for another one`() {
        for (user, source) in [(2 as UInt64, "copy"), (1, "copy"), (2, "file")] {
            var watch = CopyWatch()
            let committed = Self.committed(copyOf: user, source: source)
            watch.noteArrival(of: Self.course, in: committed)
            // The first has never seen the course.
            if user != 2 || source != "copy" { watch.allow(Self.course, for: .user(2)) }
            #expect(throws: Violation.self) {
                try watch.noteMade(Self.copy, of: Self.course, by: .user(2), in: committed)
            }
        }
    }

    @Test(.proves("18.29")) func `finds a copy with times or with the ends of the way`() throws {
        let foreign = CopyWatch.Foreign(ownerID: .user(2), points: 3)
        let points = (0..<3).map { TrackPoint(Coordinate(latitude: 0, longitude: Double($0) / 1_000)) }
        try CopyWatch.check(Track(Array(points.dropLast())), of: foreign)
        #expect(throws: Violation.self) { try CopyWatch.check(Track(points), of: foreign) }
        var timed = points[0]
        timed.time = .meeting
        #expect(throws: Violation.self) { try CopyWatch.check(Track([timed]), of: foreign) }
    }
}
