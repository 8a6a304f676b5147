import Foundation
import GRDB
import Glibc
import PromisedConcurrency
import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct StoreOpeningTests {
    @Test func `opening creates a directory readable only by its owner`() async throws {
        try await withStore { _, directory async throws in
            let own = try directory.permissions()
            #expect(own == 0o700)
            for file in ["promised.sqlite", "promised.sqlite-wal", "promised.sqlite-shm", "lock"] {
                let mode = try directory.permissions(of: file)
                #expect(mode == 0o600, "\(file)")
            }
        }
    }

    @Test func `rejects a second store on the same directory until the first is closed`() async throws {
        let directory = TemporaryDirectory()
        let first = try await Store.open(directory: directory.path)
        await #expect(throws: StoreError.locked) { _ = try await Store.open(directory: directory.path) }
        try await first.upkeep.checkWritable()
        try await release(first)
        try await Store.open(directory: directory.path).close()
    }

    @Test func `rejects a path to a file with the reason`() async throws {
        let directory = TemporaryDirectory()
        try await Store.open(directory: directory.path).close()
        await #expect {
            _ = try await Store.open(directory: directory.path + "/lock")
        } throws: { error in
            if case StoreError.fileSystem = error { true } else { false }
        }
    }

    @Test func `reports why a directory cannot be created, in words`() async throws {
        let directory = TemporaryDirectory()
        try await Store.open(directory: directory.path).close()
        let inside = directory.path + "/lock/data"
        let error = await #expect(throws: StoreError.self) { _ = try await Store.open(directory: inside) }
        #expect(error == .fileSystem(errno: ENOTDIR))
        #expect("\(error as Any)".contains("Not a directory (errno 20)"))
        let nowhere = await #expect(throws: StoreError.self) { _ = try await Store.open(directory: "/proc/none/data") }
        #expect(nowhere == .fileSystem(errno: ENOENT))
    }

    @Test func `reports every transaction with its writes, its time and its outcome`() async throws {
        let directory = TemporaryDirectory()
        let reports = Guarded<[CommitReport]>([])
        let store = try await Store.open(directory: directory.path) { report in reports.withLock { $0.append(report) } }
        try await store.upkeep.checkWritable()
        let first = try #require(reports.withLock { $0 }.first)
        #expect(first.writes == 1)
        #expect(first.isDurable)
        #expect(first.duration > .zero)
        #expect(await store.upkeep.waitingWrites == 0)
        #expect(store.upkeep.logBytes > 0)
        try await store.close()
    }

    @Test func `rejects a database of a later version without changing it`() async throws {
        let directory = TemporaryDirectory()
        try await release(Store.open(directory: directory.path))
        do {
            let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
            try await database.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999-from-the-future')")
            }
            try database.close()
        }
        await #expect(throws: StoreError.newerSchema) { _ = try await Store.open(directory: directory.path) }
    }

    @Test func `rejects a file that is not a database`() async throws {
        let directory = TemporaryDirectory()
        try await release(Store.open(directory: directory.path))
        try directory.write(Array(repeating: 0x55, count: 8_192), to: "promised.sqlite")
        await #expect(throws: StoreError.unavailable(code: 26)) { _ = try await Store.open(directory: directory.path) }
    }

    @Test func `deletes only the drafts of a crash`() async throws {
        let directory = TemporaryDirectory()
        try await release(Store.open(directory: directory.path))
        let drafts = ["promised.sqlite.before-0025-counts.draft-a1B2c3", "signing.key.draft-a1B2c3"]
        let others = ["promised.sqlite.before-0025-counts", "promised.sqlite.backup", "signing.key"]
        for name in drafts + others { try directory.write([1], to: name) }
        let store = try await Store.open(directory: directory.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(drafts).isDisjoint(with: names) && Set(others).isSubset(of: names))
        try await store.close()
    }

    @Test func `every call after closing reports it`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.close()
        await #expect(throws: StoreError.closed) { try await store.upkeep.checkWritable() }
        await #expect(throws: StoreError.closed) { _ = try await store.accounts.account(.user(1)) }
        await #expect(throws: StoreError.closed) { _ = try await store.upkeep.truncateLog() }
        try await store.close()
    }

    @Test(.proves("9.6")) func `acknowledged writes survive a crash`() async throws {
        try await withStore(users: 1...3) { store, directory async throws in
            try await store.open(.sample(), with: [.invited(.user(2))])
            let copy = try directory.copyAfterCrash()
            let revived = try await Store.open(directory: copy.path)
            #expect(try await revived.accounts.account(.user(3)) != nil)
            #expect(
                try await revived.sessions.snapshot(of: Promise.sample().id, withFixes: true)?.participants.count == 2
            )
            #expect(try await revived.upkeep.verify() == [])
            try await revived.close()
        }
    }

    @Test func `closing leaves everything in the database file`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...1)
        try await store.close()
        #expect(store.upkeep.logBytes == 0)
        let again = try await Store.open(directory: directory.path)
        #expect(try await again.accounts.account(.user(1))?.nickname == "User_1")
        try await again.close()
    }

    @Test func `the writer syncs every commit and never checkpoints by itself`() async throws {
        try await withStore { store async throws in
            let settings = try await store.write { db in
                try ["synchronous", "wal_autocheckpoint", "foreign_keys", "secure_delete", "query_only"].map { name in
                    try db.number("PRAGMA \(name)")
                }
            }
            #expect(settings == [2, 0, 1, 1, 0])
        }
    }

    @Test func `rejects writes of a reader`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.unavailable(code: 8)) {
                try await store.read { db in try db.script("DELETE FROM meta") }
            }
        }
    }

    private func release(_ store: consuming Store) async throws {
        try await store.close()
    }
}
