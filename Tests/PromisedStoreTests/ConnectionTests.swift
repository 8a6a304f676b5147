import Foundation
import PromisedDomain
import PromisedJournal
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    private static let values = "CREATE TABLE trial (key INTEGER PRIMARY KEY, value ANY) STRICT"

    @Test func `a value is read back as it was written`() async throws {
        try await with { db throws in
            let id = UserID(high: 0xfedc_ba98_7654_3210, low: 1)
            #expect(try db.stored(id) == id)
            #expect(try db.stored(UserID?.none) == nil)
            #expect(try db.stored("한국어 \"'") == "한국어 \"'")
            #expect(try db.stored("") == "")
            #expect(try db.stored(Int64.min) == Int64.min)
            #expect(try db.stored(Int.max) == Int.max)
            #expect(try db.stored(Int32.min) == Int32.min)
            #expect(try db.stored(0.1) == 0.1)
            #expect(try db.stored(-Double.infinity) == -Double.infinity)
            #expect(try db.stored(true))
            #expect(try !db.stored(false))
            #expect(try db.stored(Instant(milliseconds: -1)) == Instant(milliseconds: -1))
            #expect(try db.stored(TimeSpan.hours(1)) == .hours(1))
            for count in [0, 1, 15, 16, 17, 10_000] {
                let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                #expect(try db.stored(bytes) == bytes)
            }
            #expect(try db.stored(SQLValue.text("x")) == SQLValue.text("x"))
            #expect(try db.stored(SQLValue.null) == SQLValue.null)
        }
    }

    @Test func `a value of another type is refused, with the column's name`() async throws {
        try await with { db throws in
            let row = try #require(
                try db.row("SELECT NULL AS missing, 'x' AS text, x'00' AS bytes, 1.5 AS real, 3000000000 AS large")
            )
            let error = StoreError.damaged("An unexpected value in the column text")
            #expect(throws: error) { _ = try row.value("text") as Int }
            #expect(throws: error) { _ = try row.value(1) as UserID }
            #expect(throws: error) { _ = try row.value("text") as Double? }
            #expect(throws: StoreError.self) { _ = try row.value("missing") as Int }
            #expect(throws: StoreError.self) { _ = try row.value("bytes") as String }
            #expect(throws: StoreError.self) { _ = try row.value("bytes") as UserID }
            #expect(throws: StoreError.self) { _ = try row.value("text") as Data }
            #expect(throws: StoreError.self) { _ = try row.value("large") as Int32 }
            #expect(try row.value("real") as Int == 1)
            #expect(try row.value("large") as Double == 3e9)
            #expect(try row.value("missing") as String? == nil)
            #expect(throws: StoreError.damaged("A row without the column other")) { _ = try row.value("other") as Int? }
        }
    }

    @Test func `an enumeration is read by its raw value`() async throws {
        try await with { db throws in
            let row = try #require(try db.row("SELECT 'friends' AS known, 'all' AS unknown, NULL AS missing"))
            #expect(try row.raw("known") as Audience == .friends)
            #expect(try row.optionalRaw("known") as Audience? == .friends)
            #expect(try row.optionalRaw("missing") as Audience? == nil)
            let error = StoreError.damaged("An unknown value in the column unknown")
            #expect(throws: error) { _ = try row.raw("unknown") as Audience }
            #expect(throws: error) { _ = try row.optionalRaw("unknown") as Audience? }
        }
    }

    @Test func `of two columns with one name the first is read, and case counts`() async throws {
        try await with { db throws in
            let row = try #require(try db.row("SELECT 1 AS a, 2 AS a, 3 AS A"))
            #expect(try row.value("a") as Int == 1)
            #expect(try row.value("A") as Int == 3)
            #expect(try row.value(1) as Int == 2)
        }
    }

    @Test func `values are given in order or by name`() async throws {
        try await with { db throws in
            try db.run("INSERT INTO trial VALUES (?, ?)", [1, "one"])
            try db.run("INSERT INTO trial VALUES (:key, :value)", named: ["key": 2, "value": nil])
            let keys = try db.rows("SELECT key FROM trial WHERE key > ? ORDER BY key", [0]).map {
                try $0.value("key") as Int
            }
            #expect(keys == [1, 2])
            #expect(try db.rows("SELECT * FROM trial WHERE key = :key", named: ["key": 3]).isEmpty)
            #expect(try db.row("SELECT value FROM trial WHERE key = ?", [1])?.value("value") == "one")
            let second = try #require(try db.row("SELECT value FROM trial WHERE key = :key", named: ["key": 2]))
            #expect(try second.value(0) as String? == nil)
            #expect(try db.number("SELECT count(*) FROM trial") == 2)
            #expect(try db.number("SELECT key FROM trial WHERE key > ?", [2]) == 0)
            #expect(try db.number("SELECT max(key) FROM trial WHERE key > ?", [2]) == 0)
            #expect(try db.number("SELECT max(key) FROM trial WHERE key < :end", named: ["end": 2]) == 1)
        }
    }

    @Test(arguments: [[], [1, 2]] as [[Int]])
    func `a wrong number of values is refused`(values: [Int]) async throws {
        try await with { db throws in
            #expect(throws: (any Error).self) {
                try db.run("DELETE FROM trial WHERE key = ?", values.map { $0 as (any StoredValue)? })
            }
            #expect(throws: (any Error).self) {
                try db.cursor("SELECT 1 FROM trial WHERE key = ?", values.map { $0 as (any StoredValue)? })
            }
        }
    }

    @Test func `a missing name is refused`() async throws {
        try await with { db throws in
            #expect(throws: (any Error).self) { try db.run("DELETE FROM trial WHERE key = :key", named: ["value": 1]) }
        }
    }

    @Test(arguments: [false, true])
    func `a cursor reads row by row and may be left early`(once: Bool) async throws {
        try await with { db throws in
            for key in 1...3 { try db.run("INSERT INTO trial VALUES (?, ?)", [key, "\(key)"]) }
            let sql = "SELECT key, value FROM trial ORDER BY key"
            do {
                let cursor = try db.cursor(sql, once: once)
                let first = try #require(try cursor.next())
                let copy = first.copy
                #expect(try first.value("value") == "1")
                #expect(try copy.value("value") == "1")
                let second = try #require(try cursor.next())
                #expect(try second.value("value") == "2")
                #expect(try copy.value("value") == "1")
            }
            let cursor = try db.cursor(sql, once: once)
            var values: [String] = []
            while let row = try cursor.next() { values.append(try row.value(1)) }
            #expect(values == ["1", "2", "3"])
            #expect(try cursor.next() == nil)
        }
    }

    @Test func `bytes are read in place`() async throws {
        try await with { db throws in
            let sql = "SELECT x'010203', NULL, x'', x'000102030405060708090a0b0c0d0e0f'"
            let cursor = try db.cursor(sql)
            let row = try #require(try cursor.next())
            let bytes = [[1, 2, 3], [], [], Array(0...15)] as [[UInt8]]
            for (number, expected) in bytes.enumerated() {
                for row in [row, row.copy] {
                    let found = row.withBytes(number) { span in
                        var found: [UInt8] = []
                        for index in span.indices { found.append(span[index]) }
                        return found
                    }
                    #expect(found == expected)
                }
            }
        }
    }

    @Test func `changed rows are counted, in all with those of triggers`() async throws {
        try await with { db throws in
            try db.script(
                """
                CREATE TABLE shadow (key INTEGER);
                CREATE TRIGGER follow AFTER INSERT ON trial BEGIN INSERT INTO shadow VALUES (NEW.key); END;
                """
            )
            let before = db.totalChangesCount
            try db.run("INSERT INTO trial VALUES (1, NULL), (2, NULL)")
            #expect(db.changesCount == 2 && db.totalChangesCount - before == 4)
            try db.run("DELETE FROM trial WHERE key = 3")
            #expect(db.changesCount == 0 && db.totalChangesCount - before == 4)
        }
    }

    @Test func `a statement of a broken text fails`() async throws {
        try await with { db throws in
            #expect(throws: (any Error).self) { try db.run("SELEC 1") }
            #expect(throws: (any Error).self) { try db.script("DELETE FROM trial; DELETE FROM nowhere") }
            #expect(throws: (any Error).self) { try db.rows("SELECT 1 FROM nowhere", once: true) }
        }
    }

    /// Runs `body` in a transaction of a store with a table `trial`.
    private func with(_ body: @escaping @Sendable (SQLConnection) throws -> Void) async throws {
        try await withStore { store async throws in
            try await store.write { db in
                try db.script(Self.values)
                try body(db)
                try db.script("DROP TABLE trial; DROP TABLE IF EXISTS shadow")
            }
        }
    }
}

extension SQLConnection {
    /// A value after a round trip through the database.
    fileprivate func stored<Value: StoredValue>(_ value: Value) throws -> Value {
        try run("INSERT INTO trial VALUES (1, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [value])
        guard let row = try row("SELECT value FROM trial WHERE key = 1") else { throw StoreError.broken("No row") }
        let cursor = try cursor("SELECT value FROM trial WHERE key = 1")
        let read: Value? = try cursor.next().map { try $0.value("value") as Value }
        let copied: Value = try row.value(0)
        #expect(read.map(\.stored) == copied.stored, "\(read.map(\.stored).debugDescription) of \(Value.self)")
        return try row.value("value")
    }
}
