import Crypto
import PromisedAccess
import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The files of users 1 to 3 in a store in a temporary folder, with their bytes in memory.
struct FilesWorld {
    static let now = Instant.meeting

    let store: Store
    let storage: MemoryFileStorage
    let clock = ManualClock(now: FilesWorld.now)
    let metrics = CountingMetrics()
    let files: Files

    private init(_ store: Store, _ space: FileSpace, _ storage: MemoryFileStorage = MemoryFileStorage()) {
        self.store = store
        self.storage = storage
        files = Files(
            store: store,
            storage: storage,
            space: space,
            clock: clock,
            random: .system,
            metrics: metrics,
            log: .silent
        )
    }

    /// The same store and storage, with empty memory.
    func restarted() -> FilesWorld { FilesWorld(store, FileSpace(), storage) }

    static func run(space: FileSpace = FileSpace(), _ body: (FilesWorld) async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        for number: UInt64 in 1...3 { _ = try await store.accounts.createUser(.sample(number)) }
        try await body(FilesWorld(store, space))
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    /// Uploads bytes in chunks of some size, from the offset that the reply to `begin` names.
    func upload(
        _ bytes: [UInt8],
        _ kind: StoredFile.Kind = .photo,
        key: String = "1",
        chunk: Int = 50,
        by user: UserID = .user(1)
    ) async throws -> StoredFile {
        var state = try await files.uploads.begin(.of(bytes, kind, key: key), of: user)
        while state.file == nil {
            let start = Int(state.upload.offset)
            let piece = Array(bytes[start..<min(start + chunk, bytes.count)])
            state = try await files.uploads.put(piece, at: Int64(start), into: state.upload.id, of: user)
        }
        return try #require(state.file)
    }

    /// All bytes of a file as a user reads them, in pieces.
    func read(_ id: FileID, by user: UserID = .user(1), piece: Int = 70) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let next = try await files.read(id, from: Int64(bytes.count), limit: piece, by: user).bytes,
            !next.isEmpty
        {
            bytes += next
        }
        return bytes
    }

    func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal
        } catch ApplicationError.refused(let refusal, _, _) {
            return refusal
        } catch {
            Issue.record("another error: \(error)")
            return nil
        }
    }
}

/// A grey JPEG of 16 × 8 pixels with a position in its Exif.
enum PhotoBytes {
    static let position = Array("N 37.5663 E 126.9779".utf8)

    static let withPosition: [UInt8] = {
        // One entry, Orientation 6, and the position behind the directory.
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let tables =
            segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16))
            + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 16))
        let frame = segment(0xC0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x0F]
        return [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + tiff + position) + tables + frame + scan
            + [0xFF, 0xD9]
    }()

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
}

extension Upload.Announcement {
    static func of(
        _ bytes: [UInt8],
        _ kind: StoredFile.Kind = .photo,
        key: String = "1"
    ) -> Upload.Announcement {
        Upload.Announcement(
            key: key,
            kind: kind,
            bytes: Int64(bytes.count),
            sha256: Array(SHA256.hash(data: bytes))
        )
    }
}
