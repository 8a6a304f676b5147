internal import PromisedDomain
package import PromisedJournal

/// The outcome of copying the files of a backup.
package struct FileCopyReport: Hashable, Sendable {
    /// The number of copied files.
    package var files = 0
    /// Their total size in bytes.
    package var bytes: Int64 = 0
    /// The files whose bytes are missing, in order of their ids.
    package var missing: [FileID] = []
    /// The files whose size or SHA-256 differ from their rows, in order of their ids.
    package var damaged: [FileID] = []

    init() {}
}

/// Copies files from one storage to another, and compares each with its row.
struct FileCopy {
    let source: any FileStorage
    let target: any FileStorage

    /// Copies files, except missing and damaged ones.
    ///
    /// A file removed during its copy counts as missing. After the call returns, the copies survive a power failure.
    /// After an error, the target has some of them.
    ///
    /// - Parameter files: ascending by id.
    func copy(_ files: [StoredFile]) async throws(FileStorageError) -> FileCopyReport {
        let sizes = try await source.contents().files
        var report = FileCopyReport()
        for file in files {
            switch try await copy(file, size: sizes[file.id]) {
            case .sound:
                report.files += 1
                report.bytes += file.bytes
            case .missing: report.missing.append(file.id)
            case .damaged: report.damaged.append(file.id)
            }
        }
        return report
    }

    private func copy(_ file: StoredFile, size: Int64?) async throws(FileStorageError) -> FileCondition {
        // In the target, a file grows as an upload with the same number.
        let draft = UploadID(high: file.id.high, low: file.id.low)
        let target = target
        let condition = try await source.condition(of: file, size: size) {
            bytes,
            offset async throws(FileStorageError) in
            try await target.append(bytes, to: draft, at: offset)
        }
        guard condition == .sound else {
            try await target.discard(draft)
            return condition
        }
        try await target.adopt(draft, as: file.id)
        return .sound
    }
}
