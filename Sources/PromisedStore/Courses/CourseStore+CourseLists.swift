package import PromisedDomain
package import PromisedJournal

extension CourseStore {
    /// A page of a list of courses as a user sees them. Indexes `course_by_change`, `course_by_folder`,
    /// `course_shared`, `course_recommended`; by distance, reads the boxes of the whole list.
    ///
    /// - Parameters:
    ///   - viewer: the caller.
    ///   - cursor: the end of the previous page of a list with the same order; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func courses(
        _ filter: CourseFilter,
        seenBy viewer: UserID,
        after cursor: CourseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Course, CourseCursor> {
        let list = CourseList(filter: filter, viewer: viewer, cursor: cursor, limit: limit)
        // A filter by box or point reads courses beyond those of the page.
        let isShort = filter.box == nil && filter.near == nil
        return try await isShort ? read(list.page) : readAtLength(list.page)
    }

    /// Adds a course that all users see. Its way hides no ends, and its draft has an attribution.
    ///
    /// - Parameter audit: written in the same transaction if an administrator adds it, with the course as its subject.
    /// - Returns: the course; or `invalid` with the field (`attribution` if that is missing), or `courseTooShort`.
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

    /// Deletes a recommended course. Returns `true` if it existed. Primary key.
    ///
    /// - Parameter audit: written in the same transaction if an administrator deletes it.
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

    /// A page of the recommended courses as users see them, newest first. Index `course_recommended`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func recommendedCourses(
        after cursor: CourseCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Course, CourseCursor> {
        // Recommended courses have no owner, so they look the same to every viewer.
        let nobody = UserID(high: 0, low: 0)
        return try await courses(CourseFilter(.recommended), seenBy: nobody, after: cursor, limit: limit)
    }
}
