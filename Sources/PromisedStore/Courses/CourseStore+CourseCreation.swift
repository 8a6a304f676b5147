package import PromisedDomain
package import PromisedJournal

extension CourseStore {
    /// Stores courses of a user, all or none, once per key, in one transaction.
    ///
    /// - Parameters:
    ///   - courses: 1…``CourseLimits/imported`` courses, in order.
    ///   - folder: their folder.
    ///   - file: the uploaded file of their import, which can be used once; nil if there is none.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    /// - Returns: the courses in order, also if the same request created them less than 24 h ago (without courses
    ///   deleted meanwhile); or the first refusal of `requestKeyReused`, `fileNotFound` for a file that is not an
    ///   unused track of the user, `folderNotFound`, those of ``CourseDraft/check()`` and
    ///   ``CourseLimits/check(adding:to:points:)``, `courseTitleTaken` for a title that the user chose, `fileNotFound`
    ///   for a photo that is not the user's or has been used. A key all of whose courses were deleted meanwhile counts
    ///   as unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted, or the number of courses out of range.
    package func createCourses(
        _ courses: [NewCourse],
        in folder: FolderChoice,
        of user: UserID,
        importing file: FileID? = nil,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<[Course], Refusal> {
        let use = KeyUse(.course, owner: user, key: key, contentHash: contentHash, at: now)
        let addition = CourseAddition(courses, in: folder, of: user, at: now)
        return try await writeUnlessRefused { db in
            try addition.checkUser(in: db)
            let made = try CourseRecord.made(by: use, of: user, in: db)
            guard made.isEmpty else { return made }
            if let file { try FileRecord.useTrack(file, of: user, at: now, in: db) }
            let added = try addition.run(in: db)
            try use.remember(all: added.map(\.id), in: db)
            return added
        }
    }

    /// Stores one course of a user, like ``createCourses(_:in:of:importing:key:contentHash:at:)``.
    package func createCourse(
        _ course: NewCourse,
        in folder: FolderChoice,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<Course, Refusal> {
        try await createCourses([course], in: folder, of: user, key: key, contentHash: contentHash, at: now)
            .flatMap { made in made.first.map(Result.success) ?? .failure(.courseNotFound) }
    }

    /// Copies a course that the user may see into one of their folders, once per key, in one transaction.
    ///
    /// - Parameters:
    ///   - original: the course to copy.
    ///   - version: the version from which the caller made the draft, by ``CourseDraft/init(copying:_:names:at:)``.
    /// - Returns: as ``createCourses(_:in:of:importing:key:contentHash:at:)``; also `courseNotFound` if the user may not
    ///   see the course, and `courseStaleVersion` if it has changed since: the caller reads it again.
    package func copyCourse(
        _ original: CourseID,
        version: Int,
        to course: NewCourse,
        in folder: FolderChoice,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<Course, Refusal> {
        let use = KeyUse(.course, owner: user, key: key, contentHash: contentHash, at: now)
        let addition = CourseAddition([course], in: folder, of: user, at: now)
        return try await writeUnlessRefused { db in
            try addition.checkUser(in: db)
            if let made = try CourseRecord.made(by: use, of: user, in: db).first { return made }
            guard try CourseQuery.isVisible(original, to: user, in: db),
                let row = try db.row("SELECT version FROM course WHERE id = ?", [original])
            else { throw Refusal.courseNotFound }
            guard try row.value("version") == version else { throw Refusal.courseStaleVersion }
            let added = try addition.run(in: db)
            try use.remember(all: added.map(\.id), in: db)
            guard let copy = added.first else { throw StoreError.broken("A copy that was not made") }
            return copy
        }
    }

    /// The courses that a request with this key created less than 24 h ago, so that the caller need not compute drafts
    /// again; empty if the key is unused. Primary keys.
    ///
    /// - Returns: the courses in order; or `requestKeyReused`.
    package func earlierCourses(
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<[Course], Refusal> {
        let use = KeyUse(.course, owner: user, key: key, contentHash: contentHash, at: now)
        return try await read { db in
            do {
                return .success(try CourseRecord.made(by: use, of: user, in: db))
            } catch let refusal as Refusal {
                return .failure(refusal)
            }
        }
    }
}

extension CourseRecord {
    /// The courses created by an earlier use of the key that the user still has, in order; empty if the key is free.
    /// Throws `requestKeyReused`.
    fileprivate static func made(by use: KeyUse, of user: UserID, in db: SQLConnection) throws -> [Course] {
        var courses: [Course] = []
        for index in 0..<CourseLimits.imported {
            let earlier: EarlierUse<CourseSubject>? = try use.part(index).earlier(in: db)
            guard case .same(let id) = earlier else {
                if case .other = earlier { throw Refusal.requestKeyReused }
                break
            }
            if let course = try fetch(id, of: user, from: db) { courses.append(course) }
        }
        return courses
    }
}

extension KeyUse {
    /// Stores the ids of the created courses with the key.
    fileprivate func remember(all courses: [CourseID], in db: SQLConnection) throws {
        for (index, course) in courses.enumerated() { try part(index).remember(course, in: db) }
    }
}

extension FileRecord {
    /// Marks an unused track of a user as imported; the sweep deletes it later. Primary key.
    ///
    /// - Throws: `fileNotFound` if the file does not exist, belongs to another user, is not a track, or was already
    ///   imported.
    fileprivate static func useTrack(_ file: FileID, of user: UserID, at now: Instant, in db: SQLConnection) throws {
        try db.run(
            "UPDATE file SET used_at = ? WHERE id = ? AND user_id = ? AND kind = ? AND used_at IS NULL",
            [now, file, user, StoredFile.Kind.track.rawValue]
        )
        guard db.changesCount == 1 else { throw Refusal.fileNotFound }
    }
}
