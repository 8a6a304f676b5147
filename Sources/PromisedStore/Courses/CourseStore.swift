package import PromisedDomain
package import PromisedJournal

package struct CourseChange: Hashable, Sendable {
    package let course: Course
    /// The photos removed from the course: their rows are deleted, and the caller deletes their bytes.
    package let removedFiles: [FileID]
}

/// A course that was shared.
package struct CourseShare: Hashable, Sendable {
    package let course: Course
    /// The newly chosen users who could not see the course by its previous audience, in the user's order: to be
    /// notified.
    package let newPeople: [UserID]
}

/// Courses in their folders, and what others see of them.
package struct CourseStore: StorePart {
    let driver: any StoreDriver

    /// A course that a user may see now, by ``Course/isVisible(of:for:to:isCarried:)`` and as ``Course/seen(by:)``
    /// says; nil for all other ids. Primary keys, index `promise_by_course`.
    package func course(_ id: CourseID, seenBy viewer: UserID) async throws(StoreError) -> Course? {
        try await read { db in
            guard try CourseQuery.isVisible(id, to: viewer, in: db) else { return nil }
            return try CourseRecord.fetch(id, from: db)?.seen(by: viewer)
        }
    }

    /// The subset of `users` who may see a course now, in order. Primary keys, index `promise_by_course`.
    package func viewers(of id: CourseID, among users: [UserID]) async throws(StoreError) -> [UserID] {
        try await read { db in try users.filter { try CourseQuery.isVisible(id, to: $0, in: db) } }
    }

    /// The points of a course that a user may see now; nil for all other ids. The caller computes ``CourseTrack/seen``,
    /// outside the cooperative pool for a long track. Primary keys, index `promise_by_course`.
    package func track(of id: CourseID, seenBy viewer: UserID) async throws(StoreError) -> CourseTrack? {
        try await readAtLength { db in
            guard try CourseQuery.isVisible(id, to: viewer, in: db) else { return nil }
            return try CourseRecord.track(of: id, seenBy: viewer, from: db)
        }
    }

    /// The points of a course for all viewers, for ``ShownWay/all(of:)``; nil if the course does not exist. Primary
    /// keys.
    package func track(of id: CourseID) async throws(StoreError) -> CourseTrack? {
        try await readAtLength { db in try CourseRecord.track(of: id, seenBy: nil, from: db) }
    }

    /// Changes a course of a user by ``Course/apply(_:at:)``, in one transaction. Primary keys, index `course_by_title`.
    ///
    /// - Returns: the course and its removed files; or the first refusal of `courseNotFound`, those of the edit,
    ///   `folderNotFound` for a folder that is not the user's, `courseTitleTaken` for a title that another course of
    ///   the folder has, `fileNotFound` for a new photo that is not the user's or has been used. Writes nothing after a
    ///   refusal or without a change.
    package func updateCourse(
        _ id: CourseID,
        of user: UserID,
        _ edit: CourseEdit,
        at now: Instant
    ) async throws(StoreError) -> Result<CourseChange, Refusal> {
        try await writeUnlessRefused { db in
            guard let before = try CourseRecord.fetch(id, of: user, from: db), let old = before.home else {
                throw Refusal.courseNotFound
            }
            var course = before
            try course.apply(edit, at: now)
            guard course != before, let home = course.home else {
                return CourseChange(course: course, removedFiles: [])
            }
            guard try home == old || FolderRecord.fetch(home.folderID, of: user, from: db) != nil else {
                throw Refusal.folderNotFound
            }
            let key = CourseTitle.key(of: course.notes.title)
            guard try !CourseRecord.isTaken(key, in: home.folderID, except: id, of: db) else {
                throw Refusal.courseTitleTaken
            }
            try CourseRecord.update(before, to: course, in: db)
            for folder in Set([old.folderID, home.folderID]) { try FolderRecord.touch(folder, at: now, in: db) }
            let removed = try CoursePhotoRecord.replace(
                before.notes.photos,
                by: course.notes.photos,
                of: id,
                user,
                at: now,
                in: db
            )
            return CourseChange(course: course, removedFiles: removed)
        }
    }

    /// Deletes a course of a user with its points and photos, and the user's imported tracks and exports, in one
    /// transaction; promises that carried it no longer have a course. Primary keys, indexes `promise_by_course`,
    /// `recording_by_course`, `file_by_user`.
    ///
    /// - Returns: the effects on files and promises; nil if the user does not have this course.
    package func deleteCourse(
        _ id: CourseID,
        of user: UserID,
        at now: Instant
    ) async throws(StoreError) -> Erasure? {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            let row = try db.row(
                "SELECT folder_id FROM course WHERE id = ? AND user_id = ? AND \(CourseQuery.isKept)",
                [id, user]
            )
            guard let row else { return nil }
            var erasure = Erasure()
            try CourseRecord.delete(id, from: db, into: &erasure)
            erasure.files += try FileRecord.deleteWays(of: user, from: db)
            try FolderRecord.touch(try row.value("folder_id"), at: now, in: db)
            return erasure
        }
    }

    /// Shares a course of a user by ``Course/share(with:people:hiding:at:)``, in one transaction. Primary keys.
    ///
    /// - Returns: the course and the newly chosen people; or the first refusal of `courseNotFound`, `invalid` with the
    ///   field, `userIds` for a user who is not a friend, `courseStaleVersion` if the course has changed since `hiding`
    ///   was computed: the caller computes it again.
    package func shareCourse(
        _ id: CourseID,
        of user: UserID,
        with audience: Audience,
        people: [UserID] = [],
        hiding: CourseHiding? = nil,
        at now: Instant
    ) async throws(StoreError) -> Result<CourseShare, Refusal> {
        try await writeUnlessRefused { db in
            guard let before = try CourseRecord.fetch(id, of: user, from: db) else { throw Refusal.courseNotFound }
            var course = before
            try course.share(with: audience, people: people, hiding: hiding, at: now)
            guard try people.allSatisfy({ try FriendshipRecord.areFriends(user, $0, in: db) }) else {
                throw Refusal.invalid(field: "userIds")
            }
            if course != before {
                try CourseRecord.update(before, to: course, in: db)
                if let home = course.home { try FolderRecord.touch(home.folderID, at: now, in: db) }
            }
            let seen = before.sharing
            let new = seen.audience == .friends ? [] : people.filter { !seen.people.contains($0) }
            return CourseShare(course: course, newPeople: new)
        }
    }

    /// How many courses and points each source has, from running totals.
    package func courseCounts() async throws(StoreError) -> CourseCounts {
        try await read { db in
            var counts = CourseCounts(courses: [:], points: 0)
            for source in Course.Source.allCases { counts.courses[source] = 0 }
            for row in try db.rows(TotalQuery.kinds, ["course"]) {
                counts.courses[try row.raw("kind")] = try row.value("count")
                counts.points += try row.value("amount") as Int
            }
            return counts
        }
    }
}

package protocol HasCourses: Sendable {
    var courses: CourseStore { get }
}
