package import PromisedJournal
internal import PromisedStore

/// Totals of stored user data, without reference to individual users.
package struct FileStatistics: Hashable, Sendable {
    /// Files by kind, for kinds that have any.
    package let files: [StoredFile.Kind: FileCount]
    /// Users with at least one file.
    package let users: Int
    /// Incomplete uploads.
    package let uploads: Int
    /// The free bytes on the disk with the files; nil if unknown.
    package let freeBytes: Int64?
    /// Recordings by state; every state has an entry.
    package let recordings: [Recording.State: Int]
    /// Courses by source, and their number of points.
    package let courses: CourseCounts
    /// Exports of users' data in progress or queued.
    package let exports: Int

    /// The number of all files.
    package var fileCount: Int { files.values.reduce(0) { $0 + $1.files } }
    /// The total size of all files in bytes.
    package var fileBytes: Int64 { files.values.reduce(0) { $0 + $1.bytes } }
    /// The number of recordings that have not ended.
    package var openRecordings: Int { (recordings[.recording] ?? 0) + (recordings[.interrupted] ?? 0) }
    /// The number of all courses.
    package var courseCount: Int { courses.courses.values.reduce(0, +) }
}

extension Files {
    /// Counts all stored user data, from running totals.
    package func statistics() async throws -> FileStatistics {
        FileStatistics(
            files: try await store.files.fileCounts(),
            users: try await store.files.userCountWithFiles(),
            uploads: try await store.files.uploadIDs().count,
            // If the folder cannot be reached, the other numbers are still valid.
            freeBytes: try? await freeBytes(),
            recordings: try await store.recordings.recordingCounts(),
            courses: try await store.courses.courseCounts(),
            exports: try await store.files.exportsAtWork().count
        )
    }
}
