package struct CourseCounts: Hashable, Sendable {
    /// Courses by source; every source has an entry.
    package var courses: [Course.Source: Int]
    /// The number of all points as recorded.
    package var points: Int

    package init(courses: [Course.Source: Int], points: Int) {
        self.courses = courses
        self.points = points
    }
}
