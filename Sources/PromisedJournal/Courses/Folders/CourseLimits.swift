/// The limits of courses and folders.
package enum CourseLimits {
    /// The lengths of titles of courses and folders, in characters.
    package static let title = 1...60
    /// The most characters of a memo.
    package static let memo = 2_000
    /// The most characters of a way-point's name.
    package static let waypointName = 100
    /// The most folders of a user.
    package static let folders = 200
    /// The most courses of a user.
    package static let courses = 5_000
    /// The most points of all courses of a user, as they were recorded.
    package static let points = 5_000_000
    /// The most people a course is shared with by name.
    package static let people = 50
    /// The most courses imported from one file.
    package static let imported = 20
}
