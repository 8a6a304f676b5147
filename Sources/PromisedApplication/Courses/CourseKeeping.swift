internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedFormats
package import PromisedJournal
package import PromisedStore

/// Creates courses from a user's own way of a promise, and from the tracks of a file.
package struct CourseKeeping: Sendable {
    private let store: (accounts: AccountStore, courses: CourseStore)
    private let files: Files
    private let work: CourseWork
    private let archive: StoreArchive
    private let clock: any WallClock
    private let random: RandomSource

    package init(
        store: some HasAccounts & HasCourses,
        files: Files,
        work: CourseWork,
        archive: StoreArchive,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.store = (store.accounts, store.courses)
        self.files = files
        self.work = work
        self.archive = archive
        self.clock = clock
        self.random = random
    }

    /// Saves the user's own way of a promise as a course. The same key with the same content returns the current
    /// course.
    ///
    /// - Throws: `TextProblem`, `promiseNotFound`, `promiseNotAccepted`, `courseTooEarly` before the end of the window,
    ///   `courseGone` if the positions have been deleted or the promise was cancelled, `courseTooShort`,
    ///   `courseTitleTaken`, `courseLimit`, `folderNotFound`, `folderLimit`, `requestKeyReused`.
    package func keepWay(
        of promiseID: PromiseID,
        _ content: CourseContent,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> ShownCourse {
        let key = try TextRule.creationKey.clean(key)
        let content = try content.cleaned()
        if let made = try await earlier(key, contentHash, userID).first { return try await shown(made, to: userID) }
        let now = clock.now
        guard await archive.flush(promiseID) else { throw ApplicationError.unavailable(retryAfter: .seconds(5)) }
        let way = try await store.courses.ownWay(of: userID, in: promiseID, at: now).get()
        let secret = try await work.secret(of: userID)
        let draft = try await work.run(for: userID) { names in
            CourseDraft(
                source: .promise,
                promiseID: promiseID,
                notes: content.notes(titled: way.promise.title),
                isTitleChosen: content.title != nil,
                raw: way.track,
                secret: secret,
                names: names,
                at: now
            )
        }
        var generator = random
        let course = try await store.courses.createCourse(
            NewCourse(draft, id: CourseID(at: now, using: &generator)),
            in: try await work.folder(content.folderID, of: userID, id: FolderID(at: now, using: &generator)),
            of: userID,
            key: key,
            contentHash: contentHash,
            at: now
        ).get()
        await work.prepare([course])
        return try await shown(course, to: userID)
    }

    /// Creates a course from each track and route of an uploaded GPX file. The same key with the same content returns
    /// the current courses.
    ///
    /// - Returns: the courses in the order of the file, the number of omitted tracks and points, and the line on which
    ///   the file breaks off; 0 and nil for a repeated request.
    /// - Throws: `fileNotFound`, also for a file that was already imported, without reading it; `trackMalformed` with
    ///   the line, `courseTooShort` with the reason if no track can become a course, `courseLimit`, `folderNotFound`,
    ///   `folderLimit`, `requestKeyReused`.
    package func importFile(
        _ fileID: FileID,
        to folderID: FolderID?,
        _ activity: Activity?,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> (courses: [ShownCourse], dropped: Int, brokenOffLine: Int?) {
        let key = try TextRule.creationKey.clean(key)
        let made = try await earlier(key, contentHash, userID)
        guard made.isEmpty else { return (try await shown(made, to: userID), 0, nil) }
        let bytes = try await files.content(of: fileID, .track, of: userID)
        let (now, language) = (clock.now, try await work.language(of: userID))
        let result = try await work.drafts(
            of: bytes,
            activity ?? .other,
            inTurnOf: userID,
            in: language,
            field: "fileId",
            at: now
        )
        var generator = random
        let courses = try await store.courses.createCourses(
            result.drafts.map { NewCourse($0, id: CourseID(at: now, using: &generator)) },
            in: try await work.folder(folderID, of: userID, id: FolderID(at: now, using: &generator)),
            of: userID,
            importing: fileID,
            key: key,
            contentHash: contentHash,
            at: now
        ).get()
        await work.prepare(courses)
        return (try await shown(courses, to: userID), result.dropped, result.brokenOffLine)
    }

    // MARK: - Parts

    private func earlier(_ key: String, _ contentHash: [UInt8], _ userID: UserID) async throws -> [Course] {
        try await store.courses.earlierCourses(of: userID, key: key, contentHash: contentHash, at: clock.now).get()
    }

    private func shown(_ courses: [Course], to userID: UserID) async throws -> [ShownCourse] {
        try await ShownCourse.all(courses, to: userID, files: files, accounts: store.accounts)
    }

    private func shown(_ course: Course, to userID: UserID) async throws -> ShownCourse {
        try await ShownCourse.single(course, to: userID, files: files, accounts: store.accounts)
    }
}
