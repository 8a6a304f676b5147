package import PromisedDomain
package import PromisedJournal

/// The outcome of a request to begin an upload.
package enum UploadBeginning: Hashable, Sendable {
    /// An upload that continues at its offset, new or not.
    case open(Upload)
    /// The same key created this file from the same bytes less than 24 h ago.
    case finished(StoredFile)
}

extension FileStore {
    /// Begins an upload, or resumes the one with the same key, by ``UploadStart`` in one transaction.
    ///
    /// - Parameters:
    ///   - free: the free bytes on the disk; nil if files are stored elsewhere.
    ///   - id: the id of a new upload.
    /// - Returns: the outcome; or a refusal of ``UploadStart``, also `requestKeyReused` for a key that another request
    ///   used less than 24 h ago. A key whose file has been deleted counts as unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func beginUpload(
        _ announcement: Upload.Announcement,
        of user: UserID,
        space: FileSpace,
        free: Int64?,
        id: UploadID,
        at now: Instant
    ) async throws(StoreError) -> Result<UploadBeginning, Refusal> {
        try await writeUnlessRefused { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("An upload of a user without an account")
            }
            let use = KeyUse(announcement, of: user, at: now)
            if let file = try FileRecord.made(by: use, of: user, in: db) { return .finished(file) }
            let start = try UploadStart(
                announcement,
                of: user,
                among: UploadRecord.fetchAll(of: user, from: db),
                space: space,
                used: FileRecord.usedBytes(of: user, in: db),
                free: free,
                id: id,
                at: now
            )
            switch start {
            case .resumed(let upload): return .open(upload)
            case .begun(let upload):
                try UploadRecord.insert(upload, into: db)
                return .open(upload)
            }
        }
    }

    /// An upload of a user, expired or not; nil if they have no upload with this id. Primary key.
    package func upload(_ id: UploadID, of user: UserID) async throws(StoreError) -> Upload? {
        try await read { db in try UploadRecord.fetch(id, of: user, from: db) }
    }

    /// Records a chunk whose bytes have been written, by ``Upload/take(chunkAt:count:at:)``. Primary key.
    ///
    /// - Returns: the updated upload; or the refusal, `fileNotFound` for an unknown upload.
    package func takeChunk(
        of id: UploadID,
        of user: UserID,
        at offset: Int64,
        count: Int,
        now: Instant
    ) async throws(StoreError) -> Result<Upload, Refusal> {
        try await writeUnlessRefused { db in
            guard var upload = try UploadRecord.fetch(id, of: user, from: db) else { throw Refusal.fileNotFound }
            try upload.take(chunkAt: offset, count: count, at: now)
            try UploadRecord.update(upload, in: db)
            return upload
        }
    }

    /// Compares the digest of a complete upload; after `fileMismatch` the upload restarts at offset 0. Primary key.
    ///
    /// - Parameter sha256: the digest of the received bytes.
    /// - Returns: the upload; or `fileMismatch`, or `fileNotFound` for an unknown upload.
    /// - Throws: ``StoreError/broken(_:)`` for an incomplete upload.
    package func compareUpload(
        _ id: UploadID,
        of user: UserID,
        sha256: [UInt8]
    ) async throws(StoreError) -> Result<Upload, Refusal> {
        try await write { db in
            guard var upload = try UploadRecord.fetch(id, of: user, from: db) else { return .failure(.fileNotFound) }
            guard upload.isComplete else { throw StoreError.broken("A digest of a part of a file") }
            if upload.finish(sha256: sha256) { return .success(upload) }
            try UploadRecord.update(upload, in: db)
            return .failure(.fileMismatch)
        }
    }

    /// Turns a complete upload into a file, in one transaction: deletes the upload, and its key refers to the file for
    /// 24 h.
    ///
    /// - Parameters:
    ///   - id: an upload of the file's user.
    ///   - file: the file, whose bytes are already durable.
    /// - Returns: the file, or `fileNotFound` if the upload does not exist: the caller then deletes the bytes.
    /// - Throws: ``StoreError/broken(_:)`` for an incomplete upload, or an id that another file has.
    package func finishUpload(
        _ id: UploadID,
        as file: StoredFile,
        at now: Instant
    ) async throws(StoreError) -> Result<StoredFile, Refusal> {
        try await writeUnlessRefused { db in
            guard let upload = try UploadRecord.fetch(id, of: file.userID, from: db) else {
                throw Refusal.fileNotFound
            }
            guard upload.isComplete else { throw StoreError.broken("A file of a part of an upload") }
            try FileRecord.insert(file, at: now, into: db)
            _ = try UploadRecord.delete(id, of: file.userID, from: db)
            try KeyUse(upload.announcement, of: file.userID, at: now).remember(file.id, in: db)
            return file
        }
    }

    /// Deletes an upload of a user, for example if its bytes are not a valid file; returns `false` if they have no
    /// upload with this id. Primary key.
    @discardableResult
    package func dropUpload(_ id: UploadID, of user: UserID) async throws(StoreError) -> Bool {
        try await write { db in try UploadRecord.delete(id, of: user, from: db) }
    }

    /// Deletes the uploads that have expired at an instant. Index `upload_by_age`.
    ///
    /// - Returns: their ids; the caller deletes the bytes.
    package func forgetUploads(at now: Instant) async throws(StoreError) -> [UploadID] {
        try await write { db in
            try db.rows(UploadRecord.forget, [now - Upload.patience]).map { try $0.value("id") }
        }
    }

    /// The ids of all uploads, of which each user has few: bytes with any other id are strays.
    package func uploadIDs() async throws(StoreError) -> Set<UploadID> {
        try await read { db in Set(try db.rows("SELECT id FROM upload").map { try $0.value("id") }) }
    }
}

extension KeyUse {
    fileprivate init(_ announcement: Upload.Announcement, of user: UserID, at now: Instant) {
        self.init(.file, owner: user, key: announcement.key, contentHash: announcement.contentHash, at: now)
    }
}

extension FileRecord {
    /// The file created by an earlier use of the key; nil if the key is free. Throws `requestKeyReused`.
    fileprivate static func made(by use: KeyUse, of user: UserID, in db: SQLConnection) throws -> StoredFile? {
        let earlier: EarlierUse<StoredFile>? = try use.earlier(in: db)
        switch earlier {
        case .same(let id): return try fetch(id, from: db)?.file
        case .other: throw Refusal.requestKeyReused
        case nil: return nil
        }
    }
}
