import Foundation
import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Exports of users 1 to 3 over a store in a temporary folder, with files in memory, on a clock that a test moves.
struct ExportWorld: Sendable {
    static let now = Instant.meeting + .hours(5)

    let store: Store
    let storage = MemoryFileStorage()
    let clock = ManualClock(now: now)
    let files: Files
    let queue: PromisedApplication.NotificationQueue
    let ready = Signals<FileID>()
    let metrics = CountingMetrics()
    let exports: DataExports

    private init(_ store: Store) {
        self.store = store
        files = Files(
            store: store,
            storage: storage,
            space: FileSpace(),
            clock: clock,
            random: .system,
            log: .silent
        )
        queue = PromisedApplication.NotificationQueue(clock: clock)
        exports = Self.makeExports(store, files, queue, ready, clock, metrics)
    }

    private static func makeExports(
        _ store: Store,
        _ files: Files,
        _ queue: PromisedApplication.NotificationQueue,
        _ ready: Signals<FileID>,
        _ clock: ManualClock,
        _ metrics: CountingMetrics
    ) -> DataExports {
        DataExports(
            store: store,
            files: files,
            notifications: queue,
            news: ReadyNews(ready: ready),
            clock: clock,
            metrics: metrics,
            log: .silent
        )
    }

    /// The exports as a server has them after a restart.
    var restarted: DataExports { Self.makeExports(store, files, queue, ready, clock, metrics) }

    static func run(_ body: (ExportWorld) async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        for number: UInt64 in 1...3 { _ = try await store.accounts.createUser(.sample(number)) }
        try await body(ExportWorld(store))
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    /// Makes an export of user 1, and returns its file.
    func export() async throws -> StoredFile {
        #expect(try await exports.request(by: .user(1)) == .working)
        #expect(try await exports.makeNext())
        guard case .ready(let file) = try await exports.request(by: .user(1)) else { throw Missing() }
        return file
    }

    /// The entries of a new export of user 1.
    func entries() async throws -> ExportEntries {
        let file = try await export()
        return try ExportEntries(try await storage.read(file.id, 0..<file.bytes))
    }

    /// Expects no trace of an export in the storage and the store.
    func expectNothing(_ location: SourceLocation = #_sourceLocation) async throws {
        let contents = try await storage.contents()
        #expect(contents == FileStorageContents(), sourceLocation: location)
        #expect(try await store.files.exportsAtWork() == [], sourceLocation: location)
        #expect(ready.all == [], sourceLocation: location)
    }
}

/// Ends a test after an unexpected result.
struct Missing: Error {}

/// The entries of an archive of stored entries, read from its directory.
struct ExportEntries {
    /// The complete archive.
    let archive: [UInt8]
    /// The bytes of each entry by its name.
    let entries: [String: [UInt8]]

    init(_ archive: [UInt8]) throws {
        self.archive = archive
        func number(_ at: Int, _ count: Int) -> Int {
            archive[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var entries: [String: [UInt8]] = [:]
        var position = number(archive.count - 6, 4)
        for _ in 0..<number(archive.count - 12, 2) {
            let (size, length, header) = (number(position + 24, 4), number(position + 28, 2), number(position + 42, 4))
            let name = String(decoding: archive[position + 46..<position + 46 + length], as: UTF8.self)
            let start = header + 30 + number(header + 26, 2)
            entries[name] = Array(archive[start..<start + size])
            position += 46 + length
        }
        self.entries = entries
    }

    /// The items of an entry that is a JSON array.
    func items(_ name: String) throws -> [[String: any Sendable]] {
        let bytes = try #require(entries[name], "\(name) is absent")
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: any Sendable]])
    }

    /// `true` if the archive contains a text.
    func contains(_ text: String) -> Bool { archive.firstRange(of: Array(text.utf8)) != nil }
}

/// Records the finished exports.
private struct ReadyNews: News {
    let ready: Signals<FileID>

    func tell(_ item: NewsItem, to audience: NewsAudience) {
        if case .exportReady(let file) = item { ready.note(file.id) }
    }
}
