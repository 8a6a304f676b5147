/// The people who may see a visit or a course besides its user.
package enum Audience: String, Hashable, Sendable, Codable, CaseIterable {
    /// Only the user; the initial value.
    case onlyMe = "private"
    /// The companions of a visit who are friends of its user. Not for courses.
    case companions
    /// The user's friends.
    case friends
    /// Chosen friends. Not for visits.
    case people

    /// The relation of the requesting user to the owner of a visit or course, at the moment of the request.
    ///
    /// A former friend, a stranger and an administrator all have none.
    package struct Relation: Hashable, Sendable {
        /// `true` for the owner.
        package var isSelf: Bool
        /// `true` while they are friends.
        package var isFriend: Bool
        /// `true` for a companion of the visit, and for one of the chosen people of the course.
        package var isNamed: Bool
        /// `true` while either of the two blocks the other.
        package var isBlocked: Bool

        /// A relation; by default none.
        package init(isSelf: Bool = false, isFriend: Bool = false, isNamed: Bool = false, isBlocked: Bool = false) {
            self.isSelf = isSelf
            self.isFriend = isFriend
            self.isNamed = isNamed
            self.isBlocked = isBlocked
        }
    }

    /// `true` if a user with a relation may see it. Access ends with the friendship, whatever the audience; a block
    /// overrides everything else.
    package func admits(_ relation: Relation) -> Bool {
        if relation.isSelf { return true }
        guard !relation.isBlocked else { return false }
        return switch self {
        case .onlyMe: false
        case .friends: relation.isFriend
        case .companions, .people: relation.isNamed && relation.isFriend
        }
    }
}
