internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
package import PromisedStore

/// The folders in which users keep their courses.
package struct Folders: Sendable {
    private let store: (courses: CourseStore, deletions: DeletionStore)
    private let files: Files
    private let work: CourseWork
    private let sessions: SessionRegistry
    private let clock: any WallClock
    private let random: RandomSource

    package init(
        store: some HasCourses & HasDeletions,
        files: Files,
        work: CourseWork,
        sessions: SessionRegistry,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.store = (store.courses, store.deletions)
        self.files = files
        self.work = work
        self.sessions = sessions
        self.clock = clock
        self.random = random
    }

    /// Creates a folder. The same key with the same content returns the current folder.
    ///
    /// - Parameters:
    ///   - title: nil for a title that the server chooses in the user's language.
    ///   - contentHash: a hash of the request without the key.
    /// - Throws: `TextProblem`, `folderTitleTaken`, `folderLimit`, `requestKeyReused`.
    package func create(
        title: String?,
        emoji: String,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> FolderOverview {
        let now = clock.now
        var generator = random
        return try await store.courses.createFolder(
            title: try title.map { title in try TextRule.title.clean(title) },
            emoji: try TextRule.emoji.clean(emoji),
            language: try await work.language(of: userID),
            id: FolderID(at: now, using: &generator),
            of: userID,
            key: try TextRule.creationKey.clean(key),
            contentHash: contentHash,
            at: now
        ).get()
    }

    /// Changes a folder; nil keeps a value. Throws `TextProblem`, `folderNotFound`, `folderTitleTaken`,
    /// `courseStaleVersion`.
    package func update(
        _ id: FolderID,
        version: Int,
        title: String?,
        emoji: String?,
        by userID: UserID
    ) async throws -> FolderOverview {
        try await store.courses.updateFolder(
            id,
            of: userID,
            version: version,
            title: try title.map { title in try TextRule.title.clean(title) },
            emoji: try emoji.map { emoji in try TextRule.emoji.clean(emoji) },
            at: clock.now
        ).get()
    }

    /// Deletes a folder, with its courses if requested. Its content is unreadable at once; many courses are erased part
    /// by part afterwards, see ``AccountDeletions``. Throws `folderNotFound`, `folderNotEmpty`.
    package func delete(_ id: FolderID, withCourses: Bool, by userID: UserID) async throws {
        let deletion = try await store.courses.deleteFolder(id, of: userID, withCourses: withCourses, at: clock.now)
        let erasure = try deletion.get()
        await sessions.forget(erasure.promises)
        await files.deletions.removeFirst(erasure)
        if !erasure.isComplete { store.deletions.askForErasing() }
    }

    /// A user's folders, last changed first.
    package func list(of userID: UserID) async throws -> [FolderOverview] {
        try await store.courses.folders(of: userID)
    }
}
