import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

extension ID where Subject == StoredFile {
    /// The id of the file with that number; ids are ordered as the numbers are.
    static func file(_ number: UInt64) -> FileID { FileID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension ID where Subject == Upload {
    /// The id of the upload with that number.
    static func upload(_ number: UInt64) -> UploadID { UploadID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension StoredFile {
    /// A file identified by its number, with every field filled.
    static func sample(
        _ number: UInt64,
        of user: UserID = .user(1),
        kind: Kind = .photo,
        bytes: Int64 = 100
    ) -> StoredFile {
        StoredFile(
            id: .file(number),
            userID: user,
            kind: kind,
            contentType: kind == .photo ? "image/jpeg" : "application/gpx+xml",
            bytes: bytes,
            sha256: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32),
            width: kind == .photo ? 4_000 : 0,
            height: kind == .photo ? 3_000 : 0,
            orientation: kind == .photo ? 6 : 0
        )
    }
}

extension Upload.Announcement {
    /// A photo identified by its key.
    static func sample(_ key: String = "k", bytes: Int64 = 100, digest: UInt8 = 7) -> Upload.Announcement {
        Upload.Announcement(key: key, kind: .photo, bytes: bytes, sha256: [UInt8](repeating: digest, count: 32))
    }
}

extension Store {
    /// Ends the pending export for the file's user; `false` if there is none.
    func finishExport(as file: StoredFile, at now: Instant) async throws -> Bool {
        let pending = try await files.exportsAtWork().first { $0.userID == file.userID }
        guard let pending else { return false }
        return try await files.finish(pending, as: file, at: now)
    }

    /// Adds files like finished uploads, each by its own upload.
    func add(_ files: [StoredFile], at now: Instant = .meeting) async throws {
        for file in files {
            if file.kind == .export {
                try await self.files.addExport(file, at: now)
                continue
            }
            let announcement = Upload.Announcement(
                key: "upload \(file.id)",
                kind: file.kind,
                bytes: file.bytes,
                sha256: file.sha256
            )
            let upload = Upload(
                id: UploadID(high: file.id.high, low: file.id.low),
                userID: file.userID,
                announcement: announcement,
                offset: file.bytes,
                touchedAt: now
            )
            try await write { db in try UploadRecord.insert(upload, into: db) }
            #expect(try await self.files.finishUpload(upload.id, as: file, at: now) == .success(file))
        }
    }
}
