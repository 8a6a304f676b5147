package import PromisedDomain
package import PromisedPlaces

/// The courses that a list shows.
package enum CourseSet: Hashable, Sendable {
    /// The caller's own courses, or those in one of their folders.
    case mine(FolderID?)
    /// The courses that friends share with the caller, or those of one friend.
    case shared(UserID?)
    /// The courses that the operator recommends.
    case recommended
}

/// A list of courses; each part narrows it.
package struct CourseFilter: Hashable, Sendable {
    package var set: CourseSet
    /// Only courses whose box touches this one. Of other users' courses, only the visible part counts.
    package var box: Box?
    /// Nearest to this point first, by the centres of the boxes, without courses that hide their box; nil for last
    /// changed first.
    package var near: Coordinate?

    package init(_ set: CourseSet, box: Box? = nil, near: Coordinate? = nil) {
        self.set = set
        self.box = box
        self.near = near
    }

    /// The end of a page after a course, as the caller sees it.
    package func cursor(after course: Course) -> CourseCursor {
        guard let near, let box = course.way.shape.box else { return .changed(at: course.changedAt, course.id) }
        return .near(metres: box.centre.distanceMetres(to: near), course.id)
    }
}
