internal import PromisedDomain

/// Checks copies of courses: made only of what a user was shown, and theirs from then on.
struct CopyWatch: Sendable {
    private struct Wish: Hashable, Sendable {
        let userID: UserID
        let course: CourseID
    }

    /// A copy of a course of somebody else.
    struct Foreign: Hashable, Sendable {
        let ownerID: UserID
        /// The points of the course that was copied, all of them.
        let points: Int
    }

    private var originals: [CourseID: Belongings.CourseRow] = [:]
    /// Copies that the user may have at some moment since they asked.
    private var allowed: Set<Wish> = []
    private var made: [Wish: CourseID] = [:]
    /// The copies of courses of others.
    private(set) var foreign: [CourseID: Foreign] = [:]

    /// A user asks for a copy.
    mutating func noteArrival(of id: CourseID, in ledger: Ledger) { originals[id] = ledger.belongings.courses[id] }

    /// A course that a user has asked to copy is visible to them.
    mutating func allow(_ id: CourseID, for userID: UserID) { allowed.insert(Wish(userID: userID, course: id)) }

    /// - Throws: a copy of something that the user never saw, a second one, or one of somebody else.
    mutating func noteMade(
        _ copy: CourseID,
        of id: CourseID,
        by userID: UserID,
        in ledger: Ledger
    ) throws(Breach) {
        let wish = Wish(userID: userID, course: id)
        guard allowed.contains(wish) else { throw Breach(.audience, "somebody outside an audience has a copy") }
        if let earlier = made[wish], earlier != copy, ledger.belongings.courses[earlier] != nil {
            throw Breach(.once, "two copies for one request")
        }
        made[wish] = copy
        if let row = ledger.belongings.courses[copy], row.userID != userID || row.source != "copy" {
            throw Breach(.kept, "a copy belongs to somebody else")
        }
        guard let original = originals[id], original.userID != userID else { return }
        foreign[copy] = Foreign(ownerID: userID, points: original.points)
    }

    /// - Throws: a way that tells more than a user was shown: the times, or its ends.
    static func check(_ track: Track, of copy: Foreign) throws(Breach) {
        guard track.points.allSatisfy({ $0.time == nil && $0.accuracyMetres == nil }) else {
            throw Breach(.privacy, "a copy has the times of a course of another")
        }
        guard track.points.count < copy.points else {
            throw Breach(.privacy, "a copy has the ends of a course of another")
        }
    }
}
