package import PromisedDomain
package import PromisedJournal

/// The rows of files, uploads and exports; their bytes are elsewhere.
package struct FileStore: StorePart {
    let driver: any StoreDriver

    /// A file with its item, for the server itself; nil if the id is unknown. Primary key.
    package func file(_ id: FileID) async throws(StoreError) -> KeptFile? {
        try await read { db in try FileRecord.fetch(id, from: db) }
    }

    /// Files by their ids, in one read; without deleted ones. Primary key.
    package func files(_ ids: some Sequence<FileID>) async throws(StoreError) -> [FileID: StoredFile] {
        let ids = Set(ids)
        guard !ids.isEmpty else { return [:] }
        return try await read { db in
            var files: [FileID: StoredFile] = [:]
            for id in ids { files[id] = try FileRecord.fetch(id, from: db)?.file }
            return files
        }
    }

    /// The size of a user's files that count towards ``FileSpace/perUser``. Index `file_by_user`.
    package func usedBytes(of user: UserID) async throws(StoreError) -> Int64 {
        try await read { db in try FileRecord.usedBytes(of: user, in: db) }
    }

    /// All files, in order of their ids, to compare with the stored bytes. Primary key.
    ///
    /// - Parameters:
    ///   - id: the last file of the previous page; nil for the first page.
    ///   - limit: the most files, 1 or more; only the last page has fewer.
    package func files(after id: FileID? = nil, limit: Int) async throws(StoreError) -> [KeptFile] {
        try await read { db in
            let start = id ?? FileID(high: 0, low: 0)
            return try db.rows(FileQuery.page, [start, limit]).map(FileRecord.keptFile)
        }
    }

    /// A page of a user's files of one kind, smallest first. Index `file_by_user`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func files(
        of user: UserID,
        _ kind: StoredFile.Kind,
        after cursor: FileCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<StoredFile, FileCursor> {
        try await read { db in
            let rows = try db.rows(
                FileQuery.ofUser,
                named: [
                    "user": user, "kind": kind.rawValue, "bytes": cursor?.bytes ?? -1,
                    "id": cursor?.id ?? FileID(high: 0, low: 0), "limit": limit + 1,
                ]
            )
            return Page(fetched: try rows.map(FileRecord.file), limit: limit, cursor: FileCursor.init)
        }
    }

    /// The number and size of all files, for each kind that has any, from running totals.
    package func fileCounts() async throws(StoreError) -> [StoredFile.Kind: FileCount] {
        try await read { db in
            let counts = try db.rows(TotalQuery.kinds, ["file"]).map { row in
                (
                    try row.raw("kind") as StoredFile.Kind,
                    FileCount(files: try row.value("count"), bytes: try row.value("amount"))
                )
            }
            return Dictionary(uniqueKeysWithValues: counts)
        }
    }

    /// How many users have a file, from a running total.
    package func userCountWithFiles() async throws(StoreError) -> Int {
        try await read { db in try TotalQuery.count("owner", in: db) }
    }

    /// Deletes files without a visit or course that are older than an instant, oldest first, except profile pictures.
    /// Index `file_without_item`.
    ///
    /// - Parameter limit: the most files.
    /// - Returns: their ids; the caller deletes the bytes.
    package func deleteUnusedFiles(before instant: Instant, limit: Int = 256) async throws(StoreError) -> [FileID] {
        try await write { db in
            let files: [FileID] = try db.rows(FileRecord.unused, [instant, limit]).map { try $0.value("id") }
            try FileRecord.delete(files, from: db)
            return files
        }
    }
}

/// The end of a page of a user's files; the list is sorted by size, then by id.
package struct FileCursor: Hashable, Sendable {
    /// The size of the last file shown, in bytes.
    fileprivate let bytes: Int64
    /// The last file shown.
    fileprivate let id: FileID

    fileprivate init(_ file: StoredFile) {
        bytes = file.bytes
        id = file.id
    }
}

enum FileQuery {
    static let page = "SELECT * FROM file WHERE id > ? ORDER BY id LIMIT ?"

    /// A user's files of one kind, in the order of the index.
    static let ofUser = """
        SELECT * FROM file INDEXED BY file_by_user
        WHERE user_id = :user AND kind = :kind AND (bytes, id) > (:bytes, :id)
        ORDER BY bytes, id LIMIT :limit
        """
}

package protocol HasFiles: Sendable {
    var files: FileStore { get }
}
