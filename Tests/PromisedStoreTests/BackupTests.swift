import Foundation
import GRDB
import PromisedConcurrency
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct BackupTests {
    @Test func `a backup during writes contains every acknowledged write and restores`() async throws {
        try await withStore(users: 1...1) { store, directory async throws in
            try await store.open(SessionCommitTests.promise)
            let copy = TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            let path = copy.path + "/backup.sqlite"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 as Range<UInt64> {
                    group.addTask {
                        for number in 0..<50 as Range<UInt64> {
                            _ = try await store.accounts.createUser(.sample(100 + writer * 50 + number))
                        }
                    }
                }
                let before = try await store.administration.counts(at: .meeting).users
                let bytes = try await store.upkeep.backUp(to: path)
                #expect(bytes > 0)
                #expect(try copy.permissions(of: "backup.sqlite") == 0o600)
                try await group.waitForAll()
                try await expectRestored(path, into: TemporaryDirectory(), atLeast: before)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: copy.path) == ["backup.sqlite"])
            #expect(directory.path != copy.path)
        }
    }

    @Test func `a backup reports its growing file, and a check its progress`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let folder = TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let path = folder.path + "/backup.sqlite"
            let drafts = Guarded<[String]>([])
            _ = try await store.upkeep.backUp(to: path) { draft in
                #expect(FileManager.default.fileExists(atPath: draft))
                drafts.withLock { $0.append(draft) }
            }
            let draft = try #require(drafts.withLock { $0 }.first)
            #expect(draft.hasPrefix(path) && draft != path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["backup.sqlite"])
            let progress = Guarded<[Double]>([])
            let violations = try await store.upkeep.verify { done in progress.withLock { $0.append(done) } }
            let told = progress.withLock { $0 }
            #expect(violations == [])
            #expect(told.count > Invariant.all.count && told == told.sorted() && Set(told).count == told.count)
            #expect(told.allSatisfy { $0 > 0 && $0 < 1 })
        }
    }

    private func expectRestored(_ path: String, into target: TemporaryDirectory, atLeast users: Int) async throws {
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try await Store.restore(path, into: target.path) > 0)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let restored = try await Store.openExisting(directory: target.path)
        #expect(try await restored.upkeep.verify() == [])
        #expect(try await restored.administration.counts(at: .meeting).users >= users)
        let snapshot = try await restored.sessions.snapshot(of: SessionCommitTests.promise.id, withFixes: false)
        let epoch = try #require(snapshot?.promise.epoch)
        #expect(!epoch.isEmpty && epoch != SessionCommitTests.promise.epoch)
        #expect(try target.permissions(of: "promised.sqlite") == 0o600)
        try await restored.close()
    }

    @Test func `two restorations have different names for their event numbers`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(SessionCommitTests.promise)
            let folder = TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            _ = try await store.upkeep.backUp(to: folder.path + "/b")
            var epochs: Set<String> = []
            for name in ["one", "two"] {
                _ = try await Store.restore(folder.path + "/b", into: folder.path + "/" + name)
                let restored = try await Store.open(directory: folder.path + "/" + name)
                let snapshot = try await restored.sessions.snapshot(of: SessionCommitTests.promise.id, withFixes: false)
                epochs.insert(try #require(snapshot?.promise.epoch))
                try await restored.close()
            }
            #expect(epochs.count == 2)
        }
    }

    @Test func `a backup overwrites no file`() async throws {
        try await withStore { store, directory async throws in
            let path = directory.path + "/something"
            try Data("mine".utf8).write(to: URL(filePath: path))
            await #expect(throws: StoreError.fileSystem(errno: EEXIST)) { _ = try await store.upkeep.backUp(to: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: "/nowhere")
            await #expect(throws: StoreError.fileSystem(errno: EEXIST)) {
                _ = try await store.upkeep.backUp(to: path + ".link")
            }
            await #expect(throws: StoreError.fileSystem(errno: ENOENT)) {
                _ = try await store.upkeep.backUp(to: directory.path + "/none/backup")
            }
            let good = directory.path + "/good"
            _ = try await store.upkeep.backUp(to: good)
            await #expect(throws: StoreError.locked) { _ = try await Store.restore(good, into: directory.path) }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!names.contains { $0.hasPrefix("something.") && $0 != "something.link" })
        }
    }

    @Test func `does not restore into a directory with a database`() async throws {
        let (source, target) = (TemporaryDirectory(), TemporaryDirectory())
        let store = try await Store.open(directory: source.path)
        _ = try await store.upkeep.backUp(to: source.path + "/b")
        try await store.close()
        try await Store.open(directory: target.path).close()
        await #expect(throws: StoreError.occupied) {
            _ = try await Store.restore(source.path + "/b", into: target.path)
        }
        // The lock was released.
        try await Store.openExisting(directory: target.path).close()
    }

    @Test(arguments: ["", "rubbish", String(repeating: "SQLite format 3", count: 1_000)])
    func `rejects a file that is not a backup`(content: String) async throws {
        let folder = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.write(Array(content.utf8), to: "b")
        await #expect(throws: StoreError.notABackup) {
            _ = try await Store.restore(folder.path + "/b", into: folder.path + "/data")
        }
        await #expect(throws: StoreError.fileSystem(errno: ENOENT)) {
            _ = try await Store.restore(folder.path + "/none", into: folder.path + "/data")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/promised.sqlite"))
    }
}
