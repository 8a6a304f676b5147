import Foundation
import GRDB
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct MigratingTests {
    @Test func `copies a database of an earlier version before migrating it`() async throws {
        let directory = try await EarlierDatabase.make()
        let pending = try await Store.pendingChange(directory: directory.path)
        #expect(pending.migrations == EarlierDatabase.unseen && !pending.isFirst && pending.backupPath == nil)
        await #expect(throws: StoreError.outdatedSchema(EarlierDatabase.unseen)) {
            _ = try await Store.openExisting(directory: directory.path)
        }
        let store = try await Store.open(directory: directory.path)
        let path = try #require(store.upkeep.schemaChange.backupPath)
        #expect(path == directory.path + "/promised.sqlite.before-0008-administration")
        #expect(store.upkeep.schemaChange.migrations == EarlierDatabase.unseen)
        #expect(try await store.upkeep.verify() == [])
        #expect(
            try await store.upkeep.appliedMigrations().suffix(EarlierDatabase.unseen.count)
                == EarlierDatabase.unseen[...]
        )
        try await store.close()
        #expect(try await Store.pendingChange(directory: directory.path).migrations == [])
        #expect(try directory.permissions(of: "promised.sqlite.before-0008-administration") == 0o600)
        let copy = try DatabaseQueue(path: path)
        #expect(try await copy.read { db in try !db.tableExists("admin_token") && db.tableExists("promise") })
        try copy.close()
    }

    @Test func `a failed migration keeps the old schema and can be repeated`() async throws {
        let directory = try await EarlierDatabase.make()
        func change(_ sql: String) async throws {
            let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
            try await database.write { db in try db.execute(sql: sql) }
            try database.close()
        }
        // Blocks a late migration.
        try await change("CREATE TABLE recording (id INTEGER PRIMARY KEY)")
        await #expect(throws: StoreError.self) { _ = try await Store.open(directory: directory.path) }
        #expect(try await Store.pendingChange(directory: directory.path).migrations == EarlierDatabase.unseen)
        try await change("DROP TABLE recording")
        let store = try await Store.open(directory: directory.path)
        #expect(store.upkeep.schemaChange.migrations == EarlierDatabase.unseen)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test(.proves("2.2"))
    func `reserves a name for the oldest of similar accounts, and all keep theirs`() async throws {
        let directory = try await EarlierDatabase.make()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            for (number, name) in ["PauI", "paul", "Pau1", "Bea"].enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO user (id, nickname, nickname_key, avatar, locale, time_zone, created_at)
                        VALUES (?, ?, lower(?), '', '', '', ?)
                        """,
                    arguments: [Data([UInt8](repeating: UInt8(number), count: 16)), name, name, 10 - number]
                )
            }
        }
        try database.close()
        let store = try await Store.open(directory: directory.path)
        let names = try await store.read { db in
            try db.rows("SELECT nickname, nickname_skeleton FROM user ORDER BY id").map { row in
                let (name, skeleton): (String, String?) = (
                    try row.value("nickname"), try row.value("nickname_skeleton")
                )
                return "\(name) \(skeleton ?? "-")"
            }
        }
        #expect(names == ["PauI -", "paul -", "Pau1 paul", "Bea bea"])
        let paul = ChosenNickname(text: "Paul", key: "other")
        #expect(try await store.administration.signUpOutcome(emailKey: "x", nickname: paul) == .nicknameTaken)
        try await store.close()
    }

    @Test func `a key of an earlier version still identifies its promise`() async throws {
        let promise = Promise.sample()
        let directory = try await EarlierDatabase.make { store async throws in
            try await store.signUp(1...1)
            try await store.open(promise, key: "k")
        }
        let store = try await Store.open(directory: directory.path)
        let earlier = try await store.promises.earlierCreation(
            by: .user(1),
            key: "k",
            contentHash: [1],
            now: promise.createdAt
        )
        #expect(earlier == .existing(promise.id))
        #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise == promise)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test func `counts an arrival with a companion from an earlier version for its badge`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        let arrival = try await store.arrive(1...2)[0].id
        try await store.createVisit(1) { $0.companions = [.named("Bea")] }
        try await store.write { db in
            try db.run("INSERT INTO companion VALUES (?, 1, ?, NULL)", [arrival, UserID.user(2)])
            try db.run("UPDATE visit SET is_together = 1 WHERE id = ?", [arrival])
        }
        let statistics = try await store.visits.visitStatistics(of: .user(1))
        #expect(statistics.badges.first { $0.badge == .together10 }?.progress == 1)
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(
                sql: """
                    DROP INDEX companion_by_user;
                    DROP INDEX visit_by_time;
                    ALTER TABLE visit DROP COLUMN is_together;
                    CREATE INDEX visit_by_time ON visit (user_id, at, id);
                    CREATE INDEX visit_shared ON visit (user_id, at, id) WHERE audience <> 'private';
                    DELETE FROM grdb_migrations WHERE identifier = '0026-visit-columns';
                    """
            )
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations.first == "0026-visit-columns")
        #expect(try await again.upkeep.verify() == [])
        #expect(try await again.visits.visitStatistics(of: .user(1)) == statistics)
        try await again.close()
    }

    @Test func `each server creates its own secret`() async throws {
        var secrets: Set<EndsSecret> = []
        for _ in 1...2 {
            let store = try await Store.open(directory: TemporaryDirectory().path)
            for user in [.user(1), .user(2), nil] as [UserID?] {
                secrets.insert(try await store.courses.endsSecret(of: user))
            }
            try await store.close()
        }
        #expect(secrets.count == 6)
    }

    @Test(.proves("2.20")) func `deletes the remains of deleted accounts of an earlier version`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await store.signUp(1...2)
        let alone = try await store.abandon(.sample(), by: .user(1))
        let together = try await store.abandon(.sample(number: 2), by: .user(1), with: [.accepted(.user(2))])
        try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
        try await store.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '0045-tombstone-traces'")
        }
        try database.close()
        let again = try await Store.open(directory: directory.path)
        #expect(again.upkeep.schemaChange.migrations == ["0045-tombstone-traces"])
        let emptied = try #require(try await again.sessions.snapshot(of: alone.id, withFixes: false))
        #expect(emptied.promise.isEmptied && emptied.promise.title == "" && emptied.promise.note == "")
        #expect(try await again.promises.events(of: alone.id, after: 0, limit: 9) == [])
        let kept = try #require(try await again.sessions.snapshot(of: together.id, withFixes: false))
        #expect(kept.promise == together)
        #expect(kept.arrivals[.user(1)]?.evidence?.device == DeviceKey(deviceID: ""))
        #expect(try await again.upkeep.verify() == [])
        try await again.close()
    }

    @Test func `lists promises of an earlier version by their status`() async throws {
        let promise = Promise.sample()
        var cancelled = Promise.sample(number: 2)
        cancelled.cancelledAt = cancelled.createdAt
        let directory = try await EarlierDatabase.make { [cancelled] store async throws in
            try await store.signUp(1...1)
            for promise in [promise, cancelled] { try await store.open(promise) }
        }
        let store = try await Store.open(directory: directory.path)
        for (status, expected) in [(.tracking, promise), (.cancelled, cancelled)] as [(PromiseStatus, Promise)] {
            for user in [nil, .user(1)] as [UserID?] {
                let page = try await store.administration.promises(of: user, with: status, at: .meeting, limit: 9)
                #expect(page.items.map(\.promise) == [expected] && page.next == nil)
            }
        }
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test func `a repeatedly failed upgrade leaves only the newest copy`() async throws {
        let directory = try await EarlierDatabase.make()
        let copy = "promised.sqlite.before-0008-administration"
        // Left by an earlier version, which numbered its copies.
        for name in [copy, copy + ".2", copy + ".99"] { try directory.write([1], to: name) }
        // The first migration creates this table.
        let blocked = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await blocked.write { db in try db.execute(sql: "CREATE TABLE admin_token (note TEXT)") }
        try blocked.close()
        for attempt in 1...3 {
            await #expect(throws: (any Error).self) { _ = try await Store.open(directory: directory.path) }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.filter { $0.contains(".before-") } == [copy], "\(attempt)")
        }
        let database = try DatabaseQueue(path: directory.path + "/" + copy)
        #expect(try await database.read { db in try db.tableExists("promise") })
        try database.close()
        #expect(try directory.permissions(of: copy) == 0o600)
    }

    @Test func `the copy before an upgrade replaces only files`() async throws {
        let directory = try await EarlierDatabase.make()
        let copy = directory.path + "/promised.sqlite.before-0008-administration"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        await #expect(throws: StoreError.self) { _ = try await Store.open(directory: directory.path) }
        #expect(try await Store.pendingChange(directory: directory.path).migrations == EarlierDatabase.unseen)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.contains(NewFile.draftMark) })
    }

    @Test func `does not copy a new database`() async throws {
        try await withStore { store, directory async throws in
            #expect(store.upkeep.schemaChange.isFirst && store.upkeep.schemaChange.backupPath == nil)
            #expect(
                store.upkeep.schemaChange.migrations.suffix(EarlierDatabase.unseen.count) == EarlierDatabase.unseen[...]
            )
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!names.contains { $0.contains("before") })
        }
    }

    @Test func `does not change a directory without a database`() async throws {
        let directory = TemporaryDirectory()
        await #expect(throws: StoreError.missing) { _ = try await Store.pendingChange(directory: directory.path) }
        await #expect(throws: StoreError.missing) { _ = try await Store.openExisting(directory: directory.path) }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test func `an intact database passes verification`() async throws {
        try await withStore { store async throws in
            #expect(try await store.upkeep.quickCheck() == [])
            #expect(store.upkeep.fileBytes > 0)
            try await store.upkeep.checkWritable()
            #expect(await store.upkeep.commitTimes.last ?? .zero > .zero)
        }
    }
}
