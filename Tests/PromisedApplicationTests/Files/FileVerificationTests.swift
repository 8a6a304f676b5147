import PromisedDomain
import PromisedJournal
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(1))) struct FileVerificationTests {
    private static let now = Instant.meeting

    /// A store with the files of user 1, and a storage that has the same bytes.
    private func with(_ files: [StoredFile], _ body: (Store, MemoryFileStorage) async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        _ = try await store.accounts.createUser(.sample(1))
        for file in files { try await store.files.addExport(file, at: .meeting) }
        try await body(store, MemoryFileStorage())
        try await store.close()
    }

    private func violations(_ store: Store, _ storage: MemoryFileStorage) async throws -> [String] {
        try await FileVerification(store: store.files, storage: storage).violations(at: Self.now)
            .map { "\($0.check) \($0.detail)" }
    }

    @Test func `finds missing and damaged files`() async throws {
        let bytes: [UInt8] = [1, 2, 3]
        try await with((1...5).map { .sample($0, bytes) }) { store, storage in
            try await storage.keep(bytes, as: .sample(1))
            try await storage.keep([1, 2], as: .sample(3))
            try await storage.keep([1, 2, 4], as: .sample(4))
            try await storage.keep([1, 2, 3, 4], as: .sample(5))
            #expect(
                try await violations(store, storage) == [
                    "file-missing \(FileID.sample(2))", "file-damaged \(FileID.sample(3))",
                    "file-damaged \(FileID.sample(4))", "file-damaged \(FileID.sample(5))",
                ]
            )
        }
    }

    @Test func `reports bytes without a row as strays after an hour`() async throws {
        try await with([]) { store, storage in
            var generator = RandomSource.system
            let files = [Self.now - .hours(1), Self.now - .hours(1) - .milliseconds(1)].map {
                FileID(at: $0, using: &generator)
            }
            let uploads = [Self.now, Self.now - .hours(2)].map { UploadID(at: $0, using: &generator) }
            for file in files { try await storage.keep([1], as: file) }
            for upload in uploads { try await storage.append([1], to: upload, at: 0) }
            storage.drafts = Set(files)
            let expected = [
                "file-stray \(files[1])", "file-stray draft \(files[1])", "file-stray upload \(uploads[1])",
            ]
            #expect(try await violations(store, storage) == expected)
        }
    }

    @Test func `never reports an upload with a row as a stray`() async throws {
        try await with([]) { store, storage in
            let upload = UploadID(high: 0x0193_0000_0000_7000, low: 1 << 63)
            _ = try await store.files.beginUpload(
                Upload.Announcement(key: "1", kind: .track, bytes: 3, sha256: [UInt8](repeating: 1, count: 32)),
                of: .user(1),
                space: FileSpace(),
                free: nil,
                id: upload,
                at: .meeting
            ).get()
            try await storage.append([1], to: upload, at: 0)
            #expect(try await violations(store, storage) == [])
        }
    }

    @Test func `a file deleted during the read is not a violation`() async throws {
        try await with([.sample(1, [1])]) { store, storage in
            try await storage.keep([1], as: .sample(1))
            storage.onRead = {
                do {
                    try await storage.remove(try await store.files.deleteUnusedFiles(before: .meeting + .hours(1)))
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try await violations(store, storage) == [])
            #expect(try await storage.contents() == FileStorageContents())
        }
    }
}
