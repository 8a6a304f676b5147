internal import PromisedDomain

/// The words and photos that a user adds to a course, and how they moved.
package struct CourseNotes: Hashable, Sendable {
    /// 1–60 characters, unique in its folder ignoring case.
    package var title: String
    /// At most ``CourseLimits/memo`` characters, possibly empty; the only text with line breaks, which are LF.
    package var memo: String
    /// The user's means of moving.
    package var activity: Activity
    /// In the user's order, at most ``Photo/most``.
    package var photos: [Photo]

    package init(title: String, memo: String = "", activity: Activity = .other, photos: [Photo] = []) {
        self.title = title
        self.memo = memo
        self.activity = activity
        self.photos = photos
    }

    /// Checks the lengths. The characters are validated where texts are received. Throws `invalid` with the field.
    func check() throws(Refusal) {
        guard CourseLimits.title.contains(title.count) else { throw .invalid(field: "title") }
        guard memo.count <= CourseLimits.memo else { throw .invalid(field: "memo") }
        try Photo.check(photos)
    }
}
