import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct PositionPageTests {
    /// Several positions have the same time and number, as those of a device that counts wrongly; pages end between
    /// them, too.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `pages are those of a list that is sorted as a whole`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let chunks = PositionPageTests.chunks(using: &generator)
        let listed = PositionPageTests.listed(chunks.flatMap { FixChunk.regrouped($0) })
        let limits = (0..<4).map { _ in Int.random(in: 1...20, using: &generator) }
        let starts = [nil] + (0..<3).map { _ in listed.randomElement(using: &generator)?.cursor }
        try await withStore(users: 1...1) { store async throws in
            let promise = Promise.sample().id
            try await store.open(.sample())
            for chunk in chunks { try await store.writeFixes([promise: chunk]) }
            for (start, limit) in zip(starts, limits) {
                for room in [0, 300, 1 << 20] {
                    var cursor = start
                    repeat {
                        let page = try await store.positions(of: promise, after: cursor, limit: limit, room: room)
                        let rest = cursor.map { cursor in Array(listed.drop { $0.cursor <= cursor }) } ?? listed
                        let expected = Page(fetched: Array(rest.prefix(limit + 1)), limit: limit, cursor: \.cursor)
                        #expect(page == expected, "seed \(seed), limit \(limit), room \(room)")
                        cursor = try page.next.map { try #require(FixCursor($0.description)) }
                    } while cursor != nil
                }
            }
        }
    }

    @Test func `a late position is in its place`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let promise = Promise.sample().id
            try await store.open(.sample())
            for (seq, second) in [(1, 0), (2, 5), (4, 20), (3, 10)] as [(UInt32, Double)] {
                let fix = SettledFix.sample(seq: seq, at: .meeting + .seconds(second), metres: 1)
                try await store.writeFixes([promise: [.sample(fix)]])
            }
            let first = try await store.positions(of: promise, limit: 2)
            let second = try await store.positions(of: promise, after: first.next, limit: 2)
            #expect((first.items + second.items).map(\.fix.seq) == [1, 2, 3, 4])
            #expect(second.next == nil)
        }
    }

    @Test func `a promise without positions has an empty page`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample())
            let page = try await store.positions(of: Promise.sample().id, limit: 1)
            #expect(page == Page(items: [], next: nil))
        }
    }

    @Test func `bytes that are no chunk are refused, however they are cut or changed`() throws {
        var generator = SeededGenerator(seed: 1)
        let fixes = PositionPageTests.chunks(using: &generator).flatMap { $0 }
        let bytes = FixChunk(encoding: fixes).bytes
        for count in 0..<min(bytes.count, 500) {
            #expect(throws: StoreError.self) { try PositionPageTests.select(from: Array(bytes.prefix(count))) }
        }
        #expect(throws: StoreError.self) { try PositionPageTests.select(from: bytes + [0]) }
        #expect(throws: StoreError.damaged("A chunk of an unknown version")) {
            try PositionPageTests.select(from: [2] + bytes.dropFirst())
        }
        for _ in 0..<2_000 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            // It may read as other positions; it must not read past the end or trap.
            _ = try? PositionPageTests.select(from: changed)
        }
    }

    private static func select(from chunk: [UInt8]) throws -> [NumberedFix] {
        var packed = PackedPositions(from: nil, limit: 1_000, room: 1 << 20)
        try packed.take(chunk.span)
        var selection = PositionSelection(after: nil, limit: 1_000)
        for (user, groups) in packed.sorted { try selection.take(groups, of: user) }
        return selection.found
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

    /// Positions by user, device, time, number and writing; a user's devices are numbered from 1 by first report.
    private static func listed(_ fixes: [ArchivedFix]) -> [NumberedFix] {
        var devices: [UserID: [DeviceKey: Int]] = [:]
        for kept in fixes.sorted(by: { ($0.fix.receivedAt, $0.fix.seq) < ($1.fix.receivedAt, $1.fix.seq) }) {
            let number = (devices[kept.userID]?.count ?? 0) + 1
            devices[kept.userID, default: [:]].merge([kept.device: number]) { known, _ in known }
        }
        var orders: [UserID: Int] = [:]
        let numbered = fixes.map { kept in
            orders[kept.userID, default: 0] += 1
            let cursor = FixCursor(
                userID: kept.userID,
                device: devices[kept.userID]?[kept.device] ?? 0,
                time: kept.fix.time,
                seq: kept.fix.seq,
                order: orders[kept.userID] ?? 0
            )
            return NumberedFix(cursor: cursor, fix: kept.fix)
        }
        return numbered.sorted { $0.cursor < $1.cursor }
    }
}

extension FixChunk {
    /// Fixes in the order in which a chunk of them is read.
    fileprivate static func regrouped(_ fixes: [ArchivedFix]) -> [ArchivedFix] {
        (try? FixChunk(encoding: fixes).fixes()) ?? []
    }
}
