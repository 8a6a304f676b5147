package import PromisedDomain
package import PromisedStore

/// The numbers of everything that users keep, of nobody in particular.
package struct FileStatistics: Hashable, Sendable {
    /// The files of each kind that has some.
    package let files: [StoredFile.Kind: FileCount]
    /// Users with a file.
    package let users: Int
    /// Uploads that are not complete.
    package let uploads: Int
    /// The free bytes of the disk with the files; nil if they cannot be read.
    package let freeBytes: Int64?
    /// Recordings by state; every state has an entry.
    package let recordings: [Recording.State: Int]
    /// Courses by source, and their points.
    package let courses: CourseCounts
    /// Exports of users' data that are made or wait.
    package let exports: Int

    /// All files.
    package var fileCount: Int { files.values.reduce(0) { $0 + $1.files } }
    /// The bytes of all files.
    package var fileBytes: Int64 { files.values.reduce(0) { $0 + $1.bytes } }
    /// Recordings that have not ended.
    package var openRecordings: Int { (recordings[.recording] ?? 0) + (recordings[.interrupted] ?? 0) }
    /// All courses.
    package var courseCount: Int { courses.courses.values.reduce(0, +) }
}

extension Files {
    /// Counts everything that users keep, by running totals.
    package func statistics() async throws -> FileStatistics {
        FileStatistics(
            files: try await store.fileCounts(),
            users: try await store.userCountWithFiles(),
            uploads: try await store.uploadIDs().count,
            // Where the folder cannot be reached, the other numbers are still true.
            freeBytes: try? await freeBytes(),
            recordings: try await store.recordingCounts(),
            courses: try await store.courseCounts(),
            exports: try await store.exportsAtWork().count
        )
    }
}
