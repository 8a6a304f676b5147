package import PromisedDomain
package import PromisedJournal
package import PromisedPlaces

extension CourseStore {
    /// Creates a folder, once per key, in one transaction. Primary keys, index `folder_by_title`.
    ///
    /// - Parameters:
    ///   - title: nil for the first free one of `language`.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    /// - Returns: the folder, also if the same request created it less than 24 h ago; or `requestKeyReused`, or a
    ///   refusal of ``Folder/init(id:of:title:emoji:language:among:at:)``. A key whose folder was deleted meanwhile
    ///   counts as unused.
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

    /// Changes the title and emoji of a user's folder, in one transaction. Primary keys, index `folder_by_title`.
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

    /// Deletes a folder of a user, in one transaction, with as many of its courses as fit. The rest become unreadable
    /// at once, and ``eraseFolder(_:)`` deletes them. Primary keys, indexes `course_by_folder`, `file_by_user`.
    ///
    /// Deleting all courses of a folder in one transaction would delay other writes and the reply.
    ///
    /// - Parameter withCourses: `true` deletes its courses too, as ``deleteCourse(_:of:at:)`` does.
    /// - Returns: the effects on files and promises; or `folderNotFound`, `folderNotEmpty`.
    package func deleteFolder(
        _ id: FolderID,
        of user: UserID,
        withCourses: Bool,
        at now: Instant
    ) async throws(StoreError) -> Result<Erasure, Refusal> {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            guard try FolderRecord.fetch(id, of: user, from: db) != nil else { return .failure(.folderNotFound) }
            let hasCourses = try db.row(FolderQuery.firstCourses, [id, 1]) != nil
            guard withCourses || !hasCourses else { return .failure(.folderNotEmpty) }
            let ways = hasCourses ? try FileRecord.deleteWays(of: user, from: db) : []
            var erasure = try FolderRecord.erase(id, atMost: ErasureRoom.first, in: db)
            erasure.files += ways
            if !erasure.isComplete {
                try FolderRecord.hide(id, in: db)
                try ErasingRecord.insert(.folder(id), at: now, into: db)
            }
            return .success(erasure)
        }
    }

    /// Deletes the next courses of a deleted folder, and with the last of them the rest of the folder, in one
    /// transaction; the caller repeats it until nothing is left. Primary keys, index `course_by_folder`.
    package func eraseFolder(_ id: FolderID) async throws(StoreError) -> Erasure {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            guard try ErasingRecord.contains(.folder(id), in: db) else { return Erasure() }
            let erasure = try FolderRecord.erase(id, in: db)
            if erasure.isComplete { try ErasingRecord.delete(.folder(id), from: db) }
            return erasure
        }
    }

    /// A user's folders, at most ``CourseLimits/folders``, last changed first. Indexes `folder_by_change`,
    /// `course_by_folder`.
    package func folders(of user: UserID) async throws(StoreError) -> [FolderOverview] {
        try await read { db in try db.rows(FolderQuery.list, [user]).map(FolderOverview.init) }
    }
}

extension FolderOverview {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            folder: try FolderRecord.folder(row),
            courses: try row.value("courses"),
            distanceMetres: try row.value("distance_metres")
        )
    }

    /// An existing folder. Primary key, index `course_by_folder`.
    fileprivate static func fetch(_ id: FolderID, from db: SQLConnection) throws -> FolderOverview {
        guard let row = try db.row(FolderQuery.single, [id]) else { throw StoreError.broken("A folder is missing") }
        return try FolderOverview(row)
    }
}
