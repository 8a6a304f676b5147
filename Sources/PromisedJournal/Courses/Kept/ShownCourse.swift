package import PromisedDomain

/// A course with everything needed to show it.
package struct ShownCourse: Hashable, Sendable {
    /// The course as the viewer sees it.
    package let course: Course
    /// `true` if the viewer owns it.
    package let isOwn: Bool
    /// The files of its photos, and of the other courses on its page.
    package let files: [FileID: StoredFile]
    /// The cards of its owner and of the users with whom it is shared, and of the other courses on its page.
    package let cards: [UserID: UserCard]

    package init(course: Course, isOwn: Bool, files: [FileID: StoredFile], cards: [UserID: UserCard]) {
        self.course = course
        self.isOwn = isOwn
        self.files = files
        self.cards = cards
    }
}
