internal import GRDB
package import PromisedDomain

/// A folder with the sums of its courses.
package struct FolderOverview: Hashable, Sendable {
    /// The folder.
    package let folder: Folder
    /// The number of its courses.
    package let courses: Int
    /// The length of all of them, in metres.
    package let distanceMetres: Double
}

extension Store {
    /// Makes a folder, once for each key, in one transaction. Primary keys, index `folder_by_title`.
    ///
    /// - Parameters:
    ///   - title: nil for the first free one of `language`.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to tell a repetition from a reuse.
    /// - Returns: the folder, also if the same request made it less than 24 h ago; or `requestKeyReused`, or a refusal
    ///   of ``Folder/init(id:of:title:emoji:language:among:at:)``. A key whose folder was deleted meanwhile counts as
    ///   unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func createFolder(
        title: String?,
        emoji: String = "",
        language: BilingualName.Language,
        id: FolderID,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<FolderOverview, Refusal> {
        let use = KeyUse(.folder, owner: user, key: key, contentHash: contentHash, at: now)
        return try await writeUnlessRefused { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("A folder of a user without an account")
            }
            let earlier: EarlierUse<Folder>? = try use.earlier(in: db)
            if case .other = earlier { throw Refusal.requestKeyReused }
            if case .same(let id) = earlier, try FolderRecord.fetch(id, of: user, from: db) != nil {
                return try FolderOverview.fetch(id, from: db)
            }
            let folder = try Folder(
                id: id,
                of: user,
                title: title,
                emoji: emoji,
                language: language,
                among: FolderRecord.titles(of: user, from: db),
                at: now
            )
            try FolderRecord.insert(folder, into: db)
            try use.remember(folder.id, in: db)
            return FolderOverview(folder: folder, courses: 0, distanceMetres: 0)
        }
    }

    /// Changes title and emoji of a folder of a user, in one transaction. Primary keys, index `folder_by_title`.
    ///
    /// - Returns: the folder; or `folderNotFound`, or a refusal of ``Folder/edit(version:title:emoji:among:at:)``.
    package func updateFolder(
        _ id: FolderID,
        of user: UserID,
        version: Int,
        title: String? = nil,
        emoji: String? = nil,
        at now: Instant
    ) async throws(StoreError) -> Result<FolderOverview, Refusal> {
        try await writeUnlessRefused { db in
            guard let before = try FolderRecord.fetch(id, of: user, from: db) else { throw Refusal.folderNotFound }
            var folder = before
            let others = try FolderRecord.titles(of: user, except: id, from: db)
            try folder.edit(version: version, title: title, emoji: emoji, among: others, at: now)
            if folder != before { try FolderRecord.update(folder, in: db) }
            return try FolderOverview.fetch(id, from: db)
        }
    }

    /// Deletes some of the courses of a folder of a user, with the last of them the folder itself, in one transaction. The
    /// caller repeats it until the folder is gone. Primary keys, indexes `course_by_folder`, `file_by_user`.
    ///
    /// No other write may wait for all courses of a folder.
    ///
    /// - Parameter withCourses: `true` deletes its courses too, as ``deleteCourse(_:of:at:)`` does.
    /// - Returns: the effects on files and promises; or `folderNotFound`, `folderNotEmpty`.
    package func deleteFolder(
        _ id: FolderID,
        of user: UserID,
        withCourses: Bool
    ) async throws(StoreError) -> Result<Erasure, Refusal> {
        defer { noteErasure() }
        return try await writeAlone { db in
            guard try FolderRecord.fetch(id, of: user, from: db) != nil else { return .failure(.folderNotFound) }
            var (erasure, room) = (Erasure(), ErasureRoom(in: db))
            let hasCourses = try db.row(FolderQuery.firstCourses, [id, 1]) != nil
            guard withCourses || !hasCourses else { return .failure(.folderNotEmpty) }
            try room.delete(FolderQuery.firstCourses, of: id) { course, room in
                try CourseRecord.delete(course, in: &room, from: db, into: &erasure)
            }
            erasure.isComplete = !room.isUsedUp
            if hasCourses { erasure.files += try FileRecord.deleteWays(of: user, from: db) }
            if erasure.isComplete { try db.run("DELETE FROM folder WHERE id = ?", [id]) }
            return .success(erasure)
        }
    }

    /// A user's folders, at most ``CourseLimits/folders``, the last changed one first. Indexes `folder_by_change`,
    /// `course_by_folder`.
    package func folders(of user: UserID) async throws(StoreError) -> [FolderOverview] {
        try await read { db in try db.rows(FolderQuery.list, [user]).map(FolderOverview.init) }
    }
}

extension FolderOverview {
    fileprivate init(_ row: Row) throws {
        self.init(
            folder: try FolderRecord.folder(row),
            courses: try row.value("courses"),
            distanceMetres: try row.value("distance_metres")
        )
    }

    /// A folder that exists. Primary key, index `course_by_folder`.
    fileprivate static func fetch(_ id: FolderID, from db: Database) throws -> FolderOverview {
        guard let row = try db.row(FolderQuery.single, [id]) else { throw StoreError.broken("A folder is missing") }
        return try FolderOverview(row)
    }
}
