internal import PromisedDomain
internal import PromisedJournal
internal import PromisedStore

/// Compares a store's files with the bytes in a storage, also while both are in use.
struct FileVerification {
    let store: FileStore
    let storage: any FileStorage

    /// Reads all files.
    ///
    /// - Parameters:
    ///   - now: real time. Bytes without a row count as strays once they are ``Upload/patience`` old: younger ones may
    ///     belong
    ///     to a file not yet in the store, or to a crash not followed by a sweep.
    ///   - progress: called before each file with the fraction done, from 0 to 1.
    /// - Returns: a violation for each missing or damaged file, in order of the ids, then for each stray.
    /// - Throws: `StoreError`, `FileStorageError`.
    func violations(
        at now: Instant,
        progress: @Sendable (Double) -> Void = { _ in }
    ) async throws -> [InvariantViolation] {
        // In this order: ids that appear later without a row are young.
        let files = try await allFiles()
        let uploads = try await store.uploadIDs()
        let contents = try await storage.contents()
        var violations: [InvariantViolation] = []
        for (index, file) in files.enumerated() {
            progress(Double(index) / Double(files.count))
            let condition = try await storage.condition(of: file, size: contents.files[file.id]) { _, _ in }
            guard let check = check(condition) else { continue }
            // The file may have been deleted meanwhile.
            if try await store.file(file.id) != nil {
                violations.append(InvariantViolation(check: check, detail: "\(file.id)"))
            }
        }
        let names = strays(in: contents, beside: Set(files.map(\.id)), uploads, before: now - Upload.patience)
        return violations + names.map { InvariantViolation(check: "file-stray", detail: $0) }
    }

    /// The names of the bytes without a row, ascending.
    private func strays(
        in contents: FileStorageContents,
        beside files: Set<FileID>,
        _ uploads: Set<UploadID>,
        before limit: Instant
    ) -> [String] {
        let strayFiles = contents.files.keys.filter { !files.contains($0) && $0.madeAt < limit }
        let strayUploads = contents.uploads.filter { !uploads.contains($0) && $0.madeAt < limit }
        let drafts = contents.drafts.filter { $0.madeAt < limit }
        let names = strayFiles.map { "\($0)" } + strayUploads.map { "upload \($0)" } + drafts.map { "draft \($0)" }
        return (names + contents.strays).sorted()
    }

    private func check(_ condition: FileCondition) -> String? {
        switch condition {
        case .sound: nil
        case .missing: "file-missing"
        case .damaged: "file-damaged"
        }
    }

    private func allFiles() async throws -> [StoredFile] {
        var files: [StoredFile] = []
        while case let page = try await store.files(after: files.last?.id, limit: 500), !page.isEmpty {
            files += page.map(\.file)
        }
        return files
    }
}
