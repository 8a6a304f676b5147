internal import PromisedDomain
internal import PromisedJournal

/// Checks copies of courses: they contain only the shown part, and are independent from then on.
struct CopyWatch: Sendable {
    private struct Wish: Hashable, Sendable {
        let userID: UserID
        let course: CourseID
    }

    /// A copy of another user's course.
    struct Foreign: Hashable, Sendable {
        let ownerID: UserID
        /// The number of points of the original course.
        let points: Int
    }

    private var originals: [CourseID: OwnedRows.CourseRow] = [:]
    /// Copies that the user may have had at some moment since the request.
    private var allowed: Set<Wish> = []
    private var made: [Wish: CourseID] = [:]
    /// The copies of other users' courses.
    private(set) var foreign: [CourseID: Foreign] = [:]

    /// Records a user's request for a copy.
    mutating func noteArrival(of id: CourseID, in committed: CommittedRows) {
        originals[id] = committed.owned.courses[id]
    }

    /// Records that a requested course is visible to the user.
    mutating func allow(_ id: CourseID, for userID: UserID) { allowed.insert(Wish(userID: userID, course: id)) }

    /// - Throws: a copy of a hidden course, a second copy, or another user's copy.
    mutating func noteMade(
        _ copy: CourseID,
        of id: CourseID,
        by userID: UserID,
        in committed: CommittedRows
    ) throws(Violation) {
        let wish = Wish(userID: userID, course: id)
        guard allowed.contains(wish) else { throw Violation(.audience, "somebody outside an audience has a copy") }
        if let earlier = made[wish], earlier != copy, committed.owned.courses[earlier] != nil {
            throw Violation(.once, "two copies for one request")
        }
        made[wish] = copy
        if let row = committed.owned.courses[copy], row.userID != userID || row.source != "copy" {
            throw Violation(.kept, "a copy belongs to somebody else")
        }
        guard let original = originals[id], original.userID != userID else { return }
        foreign[copy] = Foreign(ownerID: userID, points: original.points)
    }

    /// - Throws: a way that reveals more than was shown: the times, or its ends.
    static func check(_ track: Track, of copy: Foreign) throws(Violation) {
        guard track.points.allSatisfy({ $0.time == nil && $0.accuracyMetres == nil }) else {
            throw Violation(.privacy, "a copy has the times of a course of another")
        }
        guard track.points.count < copy.points else {
            throw Violation(.privacy, "a copy has the ends of a course of another")
        }
    }
}
