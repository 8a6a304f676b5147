internal import GRDB
package import PromisedDomain

extension Store {
    /// A page of a list of courses as a user sees them. Indexes `course_by_change`, `course_by_folder`,
    /// `course_shared`, `course_recommended`; by distance the boxes of all of the list are looked at.
    ///
    /// - Parameters:
    ///   - viewer: the user who asks.
    ///   - cursor: the end of the page before, of a list with the same order; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func courses(
        _ filter: CourseFilter,
        seenBy viewer: UserID,
        after cursor: CourseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Course, CourseCursor> {
        let list = CourseList(filter: filter, viewer: viewer, cursor: cursor, limit: limit)
        // A box or a point looks at courses beside those of the page.
        let isShort = filter.box == nil && filter.near == nil
        return try await isShort ? read(list.page) : readAtLength(list.page)
    }

    /// Adds a course that everybody sees. Its way hides nothing, and its draft has an attribution.
    ///
    /// - Parameter audit: written with it if an administrator does it, with the course as its subject.
    /// - Returns: the course; or `invalid` with the field, also `attribution` without one, or `courseTooShort`.
    package func recommendCourse(
        _ course: NewCourse,
        at now: Instant,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Result<Course, Refusal> {
        let raw = course.draft.raw
        let chunks = raw.segments.map { TrackChunk(encoding: raw.points[$0]) }
        return try await writeUnlessRefused { db in
            var draft = course.draft
            draft.source = .operator
            try draft.check()
            try CourseLimits.check(adding: [draft.way], to: 0, points: 0)
            let title = CourseTitle.free(draft.notes.title) { _ in false }
            guard draft.attribution != nil else { throw Refusal.invalid(field: "attribution") }
            let recommended = Course(draft, id: course.id, title: title, in: nil, at: now)
            try CourseRecord.insert(recommended, chunks, into: db)
            try AuditRecord.insert(audit?.about("\(course.id)"), into: db)
            return recommended
        }
    }

    /// Deletes a recommended course. Returns `true` if there was one. Primary key.
    ///
    /// - Parameter audit: written with it if an administrator does it.
    package func removeRecommendedCourse(
        _ id: CourseID,
        audit: AuditEntry? = nil
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run("DELETE FROM course WHERE id = ? AND user_id IS NULL", [id])
            guard db.changesCount == 1 else { return false }
            try AuditRecord.insert(audit, into: db)
            return true
        }
    }

    /// A page of the recommended courses as users see them, the last one first. Index `course_recommended`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the page before; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func recommendedCourses(
        after cursor: CourseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Course, CourseCursor> {
        // Nobody's own course is among them, so that it does not matter who looks.
        let nobody = UserID(high: 0, low: 0)
        return try await courses(CourseFilter(.recommended), seenBy: nobody, after: cursor, limit: limit)
    }
}
