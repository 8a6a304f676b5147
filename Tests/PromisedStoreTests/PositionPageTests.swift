import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedDomain
@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PositionPageTests {
    /// Several positions are equal, as from a device with a faulty counter; another promise is written in between.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `pages contain each position once, in the order of storage`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let chunks = PositionPageTests.chunks(using: &generator)
        let stored = try chunks.flatMap { try FixChunk(encoding: $0).fixes() }
        try await withStore(users: 1...1) { store async throws in
            let promises = [Promise.sample(number: 1), .sample(number: 2)]
            for promise in promises { try await store.open(promise) }
            for chunk in chunks {
                try await store.fixes.writeFixes([promises[0].id: chunk])
                try await store.fixes.writeFixes([promises[1].id: Array(chunk.prefix(1))])
            }
            for limit in [1, 2, 7, stored.count, stored.count + 1] {
                let pages = try await store.pages(of: promises[0].id, limit: limit)
                #expect(pages.flatMap { $0 } == stored, "seed \(seed), limit \(limit)")
                #expect(pages.dropLast().allSatisfy { $0.count == limit } && pages.last != [], "seed \(seed)")
            }
        }
    }

    @Test func `a page reads only its chunks`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let id = try await store.openWithFixes(chunks: 4, of: 3)
            let first = try await store.fixes.positions(of: id, limit: 5)
            try await store.write { db in try db.run("UPDATE fix SET chunk = x'02' WHERE id IN (1, 4)") }
            let second = try await store.fixes.positions(of: id, after: first.next, limit: 3)
            #expect(second.items.map(\.fix.seq) == [6, 7, 8])
            await #expect(throws: StoreError.damaged("A chunk of an unknown version")) {
                try await store.fixes.positions(of: id, after: second.next, limit: 3)
            }
            try await store.write { db in try FixRecord.delete(of: id, from: db) }
        }
    }

    @Test func `positions stored between two pages follow all others`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let id = try await store.openWithFixes(chunks: 2, of: 3)
            let first = try await store.fixes.positions(of: id, limit: 4)
            try await store.fixes.writeFixes([id: [.sample(.sample(seq: 7, at: .meeting - .seconds(60), metres: 1))]])
            let second = try await store.fixes.positions(of: id, after: first.next, limit: 4)
            #expect((first.items + second.items).map(\.fix.seq) == Array(1...7))
            #expect(second.next == nil)
        }
    }

    @Test func `a page after a deletion is empty`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let id = try await store.openWithFixes(chunks: 2, of: 3)
            let first = try await store.fixes.positions(of: id, limit: 4)
            try await store.write { db in try FixRecord.delete(of: id, from: db) }
            #expect(try await store.fixes.positions(of: id, after: first.next, limit: 4) == Page(items: [], next: nil))
        }
    }

    @Test func `splits fixes of one write into small chunks`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let largest = FixChunk.largestCount
            let id = try await store.openWithFixes(chunks: 1, of: 2 * largest + 1)
            let counts = try await store.read { db in
                try db.rows("SELECT count FROM fix ORDER BY id").map { try $0.value("count") as Int }
            }
            #expect(counts == [largest, largest, 1])
            let pages = try await store.pages(of: id, limit: 500)
            #expect(pages.flatMap { $0.map(\.fix.seq) } == Array(1...UInt32(2 * largest + 1)))
        }
    }

    @Test func `a promise without positions has an empty page`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample())
            let page = try await store.fixes.positions(of: Promise.sample().id, limit: 1)
            #expect(page == Page(items: [], next: nil))
        }
    }

    @Test func `reads a page by the index`() async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: FixRecord.pageQuery)
            #expect(plan == ["SEARCH fix USING INDEX fix_by_promise (promise_id=? AND rowid>?)"])
        }
    }

    @Test func `reads a cursor from its text and rejects others`() {
        for cursor in [FixCursor(row: 1, place: 0), FixCursor(row: .max, place: .max)] {
            #expect(FixCursor("\(cursor)") == cursor)
            #expect(AuditCursor("\(cursor)") == nil)
        }
        #expect(FixCursor("\(PromiseCursor(meetsAt: .meeting, promiseID: PromiseID(high: 1, low: 1)))") == nil)
        #expect(FixCursor("") == nil)
        // One of version 0.1.0, and one with a number beyond the range.
        let kind = UInt8(ascii: "x")
        #expect(FixCursor("\(CursorText(kind: kind, number: 1, id: (1, 1), text: "1 7 3"))") == nil)
        #expect(FixCursor("\(CursorText(kind: kind, number: 1, id: (.max, 0), text: ""))") == nil)
    }

    /// Up to thirty flushes of a few users and devices, whose positions overlap in time.
    private static func chunks(using generator: inout SeededGenerator) -> [[ArchivedFix]] {
        (0..<Int.random(in: 1...30, using: &generator)).map { _ in
            (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                let device = ["phone", "watch", "장치", ""].randomElement(using: &generator) ?? ""
                let fix = SettledFix.sample(
                    seq: .random(in: 1...6, using: &generator),
                    at: .meeting + .milliseconds(.random(in: 0...40, using: &generator)),
                    metres: Double(Int.random(in: 0...9, using: &generator)),
                    delay: .milliseconds(.random(in: -3...30, using: &generator))
                )
                return .sample(fix, of: .user(.random(in: 1...5, using: &generator)), device: device)
            }
        }
    }
}

extension Store {
    /// Opens a promise with chunks of positions that are numbered from 1.
    fileprivate func openWithFixes(chunks: Int, of count: Int) async throws -> PromiseID {
        let promise = Promise.sample()
        try await open(promise)
        for chunk in 0..<chunks {
            let fixes = (1...count).map { number in
                let seq = chunk * count + number
                return ArchivedFix.sample(.sample(seq: UInt32(seq), at: .meeting + .seconds(Double(seq)), metres: 1))
            }
            try await self.fixes.writeFixes([promise.id: fixes])
        }
        return promise.id
    }

    /// All pages of a promise's positions, each by the text of the previous cursor.
    fileprivate func pages(of promise: PromiseID, limit: Int) async throws -> [[ArchivedFix]] {
        var pages: [[ArchivedFix]] = []
        var cursor: FixCursor?
        repeat {
            let page = try await fixes.positions(of: promise, after: cursor, limit: limit)
            pages.append(page.items)
            cursor = try page.next.map { try #require(FixCursor($0.description)) }
        } while cursor != nil
        return pages
    }
}
