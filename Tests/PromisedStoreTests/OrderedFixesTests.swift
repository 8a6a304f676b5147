import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct OrderedFixesTests {
    static let source = FixSource(
        promiseID: Promise.sample(number: 1).id,
        userID: .user(1),
        device: DeviceKey(deviceID: "phone", bootID: "boot")
    )

    /// Different capacities: all packed fixes, some of them or none.
    static let rooms = [
        OrderedFixes.Room(), OrderedFixes.Room(bytes: 400, part: 7, stretch: 3),
        OrderedFixes.Room(bytes: 0, part: 1, stretch: 1), OrderedFixes.Room(bytes: 0, part: 200, stretch: 20),
        OrderedFixes.Room(bytes: 10_000, part: 16, stretch: 1),
    ]

    /// Fixes of four devices of two users, in the order of their receipt: a phone that reports continuously, one that
    /// was silent for long, and one whose times have no order; a few numbers are stored twice.
    static func received(by generator: inout SeededGenerator) -> [ArchivedFix] {
        let disorder = [0, 3, 200, 2_000].randomElement(using: &generator) ?? 0
        return (0..<Int.random(in: 1...120, using: &generator)).map { index in
            let isRepeated = index > 10 && Int.random(in: 0..<30, using: &generator) == 0
            let seq = UInt32(isRepeated ? index - 10 : index)
            let second = Double(index) + Double(Int.random(in: 0...disorder, using: &generator))
            let fix = SettledFix.sample(seq: seq, at: .meeting + .seconds(second), metres: second)
            let user = UserID.user(.random(in: 1...2, using: &generator))
            return ArchivedFix.sample(fix, of: user, device: Bool.random(using: &generator) ? "phone" : "watch")
        }
    }

    /// All fixes of the source, sorted, each number once.
    static func expected(_ fixes: [ArchivedFix]) -> [SettledFix] {
        var known: Set<UInt32> = []
        return fixes.filter { $0.userID == source.userID && $0.device == source.device }.map(\.fix).sorted()
            .filter { known.insert($0.seq).inserted }
    }

    static func parts(
        of store: Store,
        with pending: [SettledFix] = [],
        room: OrderedFixes.Room = OrderedFixes.Room(),
        from source: FixSource = source
    ) async throws -> [[SettledFix]] {
        try await store.read { db in
            var parts: [[SettledFix]] = []
            try OrderedFixes(of: source, with: pending, room: room, from: db).forEachPart(from: db) { parts.append($0) }
            return parts
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `reads each fix once and in order, for any order of receipt and little memory`(
        seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        let fixes = Self.received(by: &generator)
        let storedCount = Int.random(in: 0...fixes.count, using: &generator)
        // Pending fixes may have become durable meanwhile.
        let waiting = fixes[max(0, storedCount - Int.random(in: 0...5, using: &generator))...]
        let pending = waiting.filter { $0.userID == Self.source.userID && $0.device == Self.source.device }
        let batch = Int.random(in: 1...9, using: &generator)
        let expected = Self.expected(fixes)
        try await withStore(users: 1...2) { store async throws in
            try await store.open(.sample(number: 1), with: [.accepted(.user(2))])
            try await store.open(.sample(number: 2))
            for start in stride(from: 0, to: storedCount, by: batch) {
                let part = Array(fixes[start..<min(start + batch, storedCount)])
                try await store.fixes.writeFixes([Self.source.promiseID: part, Promise.sample(number: 2).id: part])
            }
            for room in Self.rooms {
                let parts = try await Self.parts(of: store, with: pending.map(\.fix).sorted(), room: room)
                #expect(parts.flatMap { $0 } == expected, "seed \(seed), \(room)")
                let largest = parts.map(\.count).max() ?? 0
                // A part may end with the rest of a range, with a complete last chunk.
                #expect(largest <= 2 * room.part + room.stretch + batch + pending.count, "seed \(seed), \(room)")
            }
        }
    }

    @Test func `applies a number that is repeated after it was ignored`() async throws {
        let early = SettledFix.sample(seq: 1, at: .meeting, metres: 5)
        let again = SettledFix.sample(seq: 1, at: .meeting, metres: 5, delay: .minutes(5))
        var source = Self.source
        source.receivedFrom = again.receivedAt
        try await withStore(users: 1...1) { [early, again, source] store async throws in
            try await store.open(.sample(number: 1))
            for fix in [early, again] {
                try await store.fixes.writeFixes([source.promiseID: [.sample(fix, device: "phone")]])
            }
            for pending in [[], [early, again]] {
                let found = try await Self.parts(of: store, with: pending, from: source).flatMap { $0 }
                #expect(found == [again])
            }
            #expect(try await Self.parts(of: store).flatMap { $0 }.count == 1)
        }
    }

    @Test func `finds a device by its characters in any normal form`() async throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let fixes = names.enumerated().map { index, name in
            let fix = SettledFix.sample(seq: UInt32(index), at: .meeting, metres: 5)
            return ArchivedFix.sample(fix, device: name)
        }
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample(number: 1))
            for fix in fixes { try await store.fixes.writeFixes([Self.source.promiseID: [fix]]) }
            for fix in fixes {
                let source = FixSource(promiseID: Self.source.promiseID, userID: .user(1), device: fix.device)
                let found = try await Self.parts(of: store, from: source).flatMap { $0 }
                #expect(found == fixes.map(\.fix))
            }
        }
    }

    @Test func `the blocks of a device contain only its fixes, and damaged bytes are rejected or read as others`()
        throws
    {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let fixes = Self.received(by: &generator)
            let chunk = FixChunk(encoding: fixes)
            let wanted = FixChunk.Wanted(Self.source.userID, Self.source.device)
            var found: [SettledFix] = []
            let blocks = try FixChunk.blocks(of: wanted, in: chunk.bytes.span)
            try FixChunk.forEachFix(inBlocks: blocks) { found.append($0) }
            let expected = try chunk.fixes { $0 == Self.source.userID && $1 == Self.source.device }
            #expect(found == expected.map(\.fix))
            for count in 0..<min(chunk.bytes.count, 300) {
                let cut = Array(chunk.bytes.prefix(count))
                #expect(throws: StoreError.self) { try FixChunk.blocks(of: wanted, in: cut.span) }
            }
            for _ in 0..<50 {
                var changed = chunk.bytes
                changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(in: 0...255, using: &generator)
                guard let blocks = try? FixChunk.blocks(of: wanted, in: changed.span) else { continue }
                // It may decode as other fixes; it must not read past the end or trap.
                try? FixChunk.forEachFix(inBlocks: blocks) { _ in }
            }
        }
    }

    @Test func `a damaged chunk fails the read`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample(number: 1))
            try await store.fixes.writeFixes([
                Self.source.promiseID: [.sample(.sample(seq: 1, at: .meeting, metres: 1))]
            ])
            try await store.write { db in try db.run("UPDATE fix SET chunk = x'02'") }
            await #expect(throws: StoreError.damaged("A chunk of an unknown version")) {
                try await store.fixes.fold(Self.source, with: [], into: 0) { $0 += $1.count }
            }
            try await store.write { db in try db.run("DELETE FROM fix") }
        }
    }
}
