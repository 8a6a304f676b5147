import Foundation
import GRDB
import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// SQLite leaves copies of cells where it rebalances pages; deleted rows leave none in the files.
@Suite(.timeLimit(.minutes(2))) struct CleanFileTests {
    /// Favourites of users 1 to 4 in turn; the last user stays.
    private static let favourites = 6_000

    @Test(.proves("2.22"), .defends("remains-in-files"))
    func `leaves no copy of thousands of deleted rows in shared pages`() async throws {
        try await withStore(users: 1...4) { store, directory async throws in
            try await Self.fill(store)
            #expect(try directory.count(of: Self.marker) >= Self.favourites / 4 * 3)
            try await Self.deleteAccounts(of: store)
            #expect(try await store.upkeep.truncateLog())
            let left = try directory.count(of: Self.marker)
            #expect(left == 0)
            #expect(try directory.count(of: Self.others) >= Self.favourites / 4)
        }
    }

    @Test(.proves("2.22"))
    func `cached pages restore no copy after the log was emptied`() async throws {
        try await withStore(users: 1...4) { store, directory async throws in
            for round in 1...12 {
                try await Self.fill(store, 400, seed: UInt64(round))
                try await store.write { db in
                    for user in 1...3 as ClosedRange<UInt64> {
                        try db.run("DELETE FROM favourite WHERE user_id = ?", [UserID.user(user)])
                    }
                }
                #expect(try await store.upkeep.truncateLog())
                try await store.write { db in try db.script("UPDATE favourite SET label = 'Mine'") }
                #expect(store.upkeep.logBytes > 0)
                #expect(try directory.count(of: Self.marker) == 0, "round \(round)")
            }
        }
    }

    @Test(.proves("2.22"))
    func `neither a backup nor reading a crashed database copies deleted rows`() async throws {
        try await withStore(users: 1...4) { store, directory async throws in
            try await Self.fill(store)
            try await Self.deleteAccounts(of: store)
            let crashed = try directory.copyAfterCrash()
            #expect(try crashed.count(of: Self.marker) > 0)
            #expect(try await Store.pendingChange(directory: crashed.path).migrations == [])
            #expect(try crashed.count(of: Self.marker) == 0)
            let copies = TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: copies.path, withIntermediateDirectories: true)
            _ = try await store.upkeep.backUp(to: copies.path + "/backup")
            #expect(try copies.count(of: Self.marker) == 0)
            #expect(try copies.count(of: Self.others) >= Self.favourites / 4)
        }
    }

    @Test(.proves("2.22")) func `the first start removes the copies of an earlier version`() async throws {
        let directory = TemporaryDirectory()
        let first = try await Store.open(directory: directory.path)
        try await first.signUp(1...4)
        try await Self.fill(first)
        try await first.close()
        let database = try DatabaseQueue(path: directory.path + "/promised.sqlite")
        try await database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            for user in 1...3 as ClosedRange<UInt64> {
                try SQLConnection(db).run("DELETE FROM favourite WHERE user_id = ?", [UserID.user(user)])
            }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '0048-clean-file'")
        }
        try database.close()
        #expect(try directory.count(of: Self.marker) > 0)
        let store = try await Store.open(directory: directory.path)
        #expect(store.upkeep.schemaChange.migrations == ["0048-clean-file"])
        #expect(try directory.count(of: Self.marker) == 0)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    @Test(.proves("2.22"))
    func `pages stay intact during changes and reads, and gaps are zero`() async throws {
        try await withStore { store, directory async throws in
            try await store.write { db in
                try db.script(
                    """
                    CREATE TABLE trial (key INTEGER PRIMARY KEY, name TEXT NOT NULL, body TEXT NOT NULL) STRICT;
                    CREATE INDEX trial_by_name ON trial (name);
                    CREATE TABLE named (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
                    """
                )
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        let wrong = try await store.read { db in
                            try db.number(
                                """
                                SELECT (SELECT count(*) FROM trial JOIN named USING (name) WHERE trial.body <> named.body)
                                    + (SELECT count(*) FROM trial WHERE name NOT IN (SELECT name FROM named))
                                    + (SELECT count(*) FROM named WHERE trim(body, 'abcdef') <> '')
                                """
                            )
                        }
                        #expect(wrong == 0)
                    }
                }
                var random = SeededGenerator(seed: 1)
                for round in 1...24 {
                    let (seed, isShrinking) = (random.next(), round.isMultiple(of: 3))
                    try await store.write { db in try Self.change(db, seed: seed, isShrinking: isShrinking) }
                    guard round.isMultiple(of: 4) else { continue }
                    // A reader can delay it.
                    while try await !store.upkeep.truncateLog() {}
                    try await Self.expectClean(store, directory)
                }
                group.cancelAll()
            }
            try await store.write { db in try db.script("DROP TABLE trial; DROP TABLE named") }
            while try await !store.upkeep.truncateLog() {}
            try await Self.expectClean(store, directory)
        }
    }

    @Test func `does not change a database with other pages or its copies`() throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        let database = try DatabaseQueue(path: directory.path + "/vacuumed.sqlite")
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA auto_vacuum = FULL; PRAGMA secure_delete = ON")
            try CleanFile.keep(by: db)
            try db.execute(sql: "CREATE TABLE trial (key INTEGER PRIMARY KEY, name TEXT UNIQUE, body TEXT)")
            for seed in 0..<6_000 {
                try db.execute(
                    sql: "INSERT INTO trial VALUES (?, ?, ?)",
                    arguments: [seed, "\(seed &* 7_919 % 6_007)", String(repeating: "a", count: seed % 5_000)]
                )
            }
            try CleanFile.clean(db)
        }
        try database.close()
        let again = try DatabaseQueue(path: directory.path + "/vacuumed.sqlite")
        #expect(try again.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") } == "ok")
        _ = try DatabaseCopy.write(from: again, to: directory.path + "/copy.sqlite")
        let copy = try DatabaseQueue(path: directory.path + "/copy.sqlite")
        #expect(try copy.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `cleaning can be enabled twice on a connection`() async throws {
        try await withStore(users: 1...4) { store, directory async throws in
            try await store.write { db in try CleanFile.keep(by: db.sqlite) }
            try await Self.fill(store, 600)
            try await Self.deleteAccounts(of: store)
            #expect(try await store.upkeep.truncateLog())
            #expect(try directory.count(of: Self.marker) == 0)
        }
    }

    // MARK: - Parts

    private static let marker = Array("Street of nobody".utf8)
    private static let others = Array("Their own street".utf8)

    /// Makes the favourites, the ids in a random order.
    private static func fill(_ store: Store, _ count: Int = favourites, seed: UInt64 = 1) async throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<count).map { number in
            let street = String(decoding: number % 4 < 3 ? marker : others, as: UTF8.self)
            return (
                id: FavouriteID(high: random.next(), low: random.next()), user: UserID.user(UInt64(number % 4 + 1)),
                address: street + String(repeating: ".", count: number &* 7 % 900)
            )
        }
        for start in stride(from: 0, to: rows.count, by: 100) {
            try await store.write { db in
                for row in rows[start..<min(start + 100, rows.count)] {
                    try db.run(
                        "INSERT INTO favourite VALUES (?, ?, 'Home', NULL, 'Pier', ?, 37.5, 127, 0)",
                        [row.id, row.user, row.address]
                    )
                }
            }
        }
    }

    private static func deleteAccounts(of store: Store) async throws {
        for user in 1...3 as ClosedRange<UInt64> {
            try await store.deletions.makeTombstone(of: .user(user), at: .meeting, subjectKey: { _ in [] })
        }
    }

    /// Inserts, updates and deletes some hundred rows of all sizes, the same in both tables.
    private static func change(_ db: SQLConnection, seed: UInt64, isShrinking: Bool) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let key = Int.random(in: 0..<4_000, using: &random)
            let name = "\(key &* 7_919 % 4_001)".padding(toLength: 5 + key % 300, withPad: "-", startingAt: 0)
            if isShrinking || Int.random(in: 0..<4, using: &random) == 0 {
                try db.run("DELETE FROM trial WHERE key BETWEEN ? AND ?", [key, key + 9])
                try db.script("DELETE FROM named WHERE name NOT IN (SELECT name FROM trial)")
                continue
            }
            let count = key.isMultiple(of: 20) ? Int.random(in: 0..<20_000, using: &random) : key % 400
            let body = String(repeating: "abcdef".randomElement(using: &random) ?? "a", count: count)
            try db.run("INSERT OR REPLACE INTO trial VALUES (?, ?, ?)", [key, name, body])
            try db.run("INSERT OR REPLACE INTO named VALUES (?, ?)", [name, body])
        }
    }

    /// Compares all pages of the file with SQLite's own knowledge of them. The log must be empty.
    private static func expectClean(_ store: Store, _ directory: TemporaryDirectory) async throws {
        let (kinds, damages) = try await store.read { db in
            (
                try db.rows("SELECT pageno, pagetype FROM dbstat").reduce(into: [Int: String]()) { kinds, row in
                    kinds[try row.value(0)] = try row.value(1) as String
                },
                try db.rows("PRAGMA integrity_check").map { try $0.value(0) as String }
            )
        }
        #expect(damages == ["ok"])
        let file = try Data(contentsOf: URL(filePath: directory.path).appending(path: "promised.sqlite"))
        var (gaps, overflows, wrong) = (0, 0, [Int]())
        for (index, offset) in stride(from: 0, to: file.count, by: 4_096).enumerated() {
            let page = Array(file[offset..<(offset + 4_096)])
            let gap = page.withUnsafeBytes { PageGap.range(in: $0, isFirst: index == 0) }
            switch kinds[index + 1] {
            case "leaf", "internal":
                if let gap { if page[gap].contains(where: { $0 != 0 }) { wrong.append(index) } else { gaps += 1 } }
            case let kind:
                overflows += kind == "overflow" ? 1 : 0
                if gap != nil { wrong.append(index) }
            }
        }
        #expect(wrong == [])
        #expect(gaps > 50, "\(overflows) overflow pages")
    }
}

extension TemporaryDirectory {
    /// How often these bytes occur in all its files.
    fileprivate func count(of bytes: [UInt8]) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: 0) { count, file in
            let content = try Data(contentsOf: URL(filePath: path).appending(path: file))
            var rest = content.startIndex..<content.endIndex
            while let found = content.range(of: Data(bytes), in: rest) {
                count += 1
                rest = found.upperBound..<content.endIndex
            }
        }
    }
}
