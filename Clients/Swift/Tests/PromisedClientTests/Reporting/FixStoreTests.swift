import Foundation
import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite struct FixStoreTests {
    private func open(
        _ directory: TemporaryDirectory,
        limit: Int = 10_000,
        boot: String? = "run-1",
        seed: UInt64 = 1
    ) throws -> FixStore {
        try FixStore(
            directory: directory.path,
            limit: limit,
            time: TestTime(boot: boot),
            generator: SeededGenerator(seed: seed)
        )
    }

    private func append(_ count: Int, to store: FixStore) {
        for _ in 0..<count { _ = store.append(.sample) }
    }

    // MARK: - The queue

    @Test func `numbers fixes from one, and drops the oldest if full`() {
        let store = FixStore(limit: 3, time: TestTime(), generator: SeededGenerator(seed: 1))
        #expect((1...3).map { _ in store.append(.sample).dropped } == [0, 0, 0])
        #expect(store.append(.sample).dropped == 1)
        #expect(store.queue.fixes.map(\.seq) == [2, 3, 4])
        #expect(store.queue.newest(2).map(\.seq) == [4, 3])
        #expect(store.queue.newest(9, above: 3).map(\.seq) == [4])
        #expect(store.queue.count(above: 2) == 2)
    }

    @Test func `removes only named fixes, and naming one again has no effect`() {
        let store = FixStore(limit: 9, time: TestTime(), generator: SeededGenerator(seed: 1))
        append(5, to: store)
        #expect(store.settle([2, 4, 77]).count == 2)
        #expect(store.settle([2, 4]).count == 0)
        #expect(store.queue.fixes.map(\.seq) == [1, 3, 5])
    }

    // MARK: - On disk

    @Test func `restores queued fixes, and numbers continue to increase`() throws {
        try withTemporaryDirectory { directory in
            let first = try open(directory)
            append(5, to: first)
            _ = first.settle([1, 5])
            let (device, boot, fixes) = (first.deviceID, first.bootID, first.queue.fixes)
            _ = consume first
            let second = try open(directory, seed: 2)
            #expect(second.deviceID == device)
            #expect(second.bootID == boot)
            #expect(second.queue.fixes == fixes)
            #expect(second.append(.sample).seq == 6)
        }
    }

    @Test(arguments: ["run-2", nil] as [String?])
    func `after a restart of the device fixes have another boot and no monotonic clock`(_ boot: String?) throws {
        try withTemporaryDirectory { directory in
            let first = try open(directory)
            append(2, to: first)
            var undated = WireFix.sample
            undated.clearRecordedAt()
            _ = first.append(undated)
            let (device, oldBoot) = (first.deviceID, first.bootID)
            _ = consume first
            let second = try open(directory, boot: boot, seed: 2)
            #expect(second.deviceID == device)
            #expect(second.bootID != oldBoot)
            #expect(second.queue.fixes.map(\.seq) == [1, 2])
            #expect(second.queue.fixes.allSatisfy { !$0.hasUptimeMs && $0.hasRecordedAt })
            #expect(second.append(.sample).seq == 4)
        }
    }

    @Test func `treats a system without boot ids as restarted`() throws {
        try withTemporaryDirectory { directory in
            let first = try open(directory, boot: nil)
            let boot = first.bootID
            _ = consume first
            #expect(try open(directory, boot: nil, seed: 2).bootID != boot)
        }
    }

    @Test func `a directory has one store at a time`() throws {
        try withTemporaryDirectory { directory in
            let store = try open(directory)
            #expect(throws: FixStoreError.inUse) { try open(directory) }
            #expect(store.count == 0)
        }
    }

    @Test func `an impossible directory is an error`() {
        #expect(throws: FixStoreError.self) {
            try FixStore(directory: "/dev/null/fixes")
        }
    }

    @Test func `the file stays small after any number of fixes`() throws {
        try withTemporaryDirectory { directory in
            let store = try open(directory)
            for _ in 0..<3_000 {
                let seq = try #require(store.append(.sample).seq)
                #expect(store.settle([seq]).failure == nil)
            }
            #expect(try directory.journal().count < 120_000)
            _ = consume store
            #expect(try open(directory).append(.sample).seq == 3_001)
        }
    }

    @Test func `a full disk at the start is an error`() throws {
        try withTemporaryDirectory { directory in
            try directory.fill()
            #expect(throws: FixStoreError.system(ENOSPC)) { try open(directory) }
        }
    }

    @Test func `a disk that fills up later loses nothing, is reported, and is retried rarely`() throws {
        try withTemporaryDirectory { directory in
            let store = try open(directory)
            try directory.fill()
            var failures = 0
            for number in 1...1_000 {
                if store.append(.sample).failure != nil { failures += 1 }
                if store.settle([UInt32(number)]).failure != nil { failures += 1 }
            }
            append(3, to: store)
            #expect(failures == 1)
            #expect(store.count == 3)
            _ = consume store
            try directory.empty()
            #expect(try open(directory, seed: 2).queue.fixes.map(\.seq) == [1_001, 1_002, 1_003])
        }
    }

    @Test func `restores the fixes of a killed process`() async throws {
        let path = NSTemporaryDirectory() + "/promised-fixes-" + UUID().uuidString
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try FixStore(directory: path)
            for _ in 0..<50 { _ = store.append(.sample) }
            _ = store.settle([7])
            kill(getpid(), SIGKILL)
        }
        let store = try FixStore(directory: path)
        #expect(store.queue.fixes.map(\.seq) == Array(1...6) + Array(8...50))
        _ = consume store
        try FileManager.default.removeItem(atPath: path)
    }

    // MARK: - Broken files

    /// A journal of `count` fixes.
    private func journal(of count: Int) throws -> (bytes: [UInt8], bootID: String) {
        var journal: ([UInt8], String) = ([], "")
        try withTemporaryDirectory { directory in
            let store = try open(directory)
            append(count, to: store)
            journal = (try directory.journal(), store.bootID)
        }
        return journal
    }

    @Test func `a process killed during a write loses at most the last record`() throws {
        let whole = try journal(of: 6).bytes
        for length in 1..<whole.count {
            let contents = JournalContents(Array(whole.prefix(length)))
            let kept = contents.fixes.map(\.seq)
            #expect(kept == Array(UInt32(1)...6).prefix(kept.count).map { $0 }, "\(length)")
            #expect(contents.head == nil || contents.end != .corrupt, "\(length)")
            #expect(contents.head?.lastSeq ?? 0 == kept.last ?? 0, "\(length)")
            if length == whole.count - 1 { #expect(kept.count == 5) }
        }
        #expect(JournalContents(whole).end == .whole)
        #expect(JournalContents(whole).fixes.count == 6)
    }

    @Test func `ignores a damaged byte and everything after it`() throws {
        let whole = try journal(of: 20).bytes
        for place in whole.indices {
            var broken = whole
            broken[place] ^= 0x55
            let contents = JournalContents(broken)
            let kept = contents.fixes.map(\.seq)
            #expect(kept == Array(UInt32(1)...20).prefix(kept.count).map { $0 }, "\(place)")
            #expect(kept.count < 20, "\(place)")
            // Near the end, a damaged length looks like an unfinished record.
            let isFarFromEnd =
                place < whole.count - JournalRecord.payloadLimit - JournalReader<JournalRecord>.frameLength
            if isFarFromEnd { #expect(contents.end == .corrupt, "\(place)") }
        }
    }

    @Test func `after a torn end numbers continue in the same boot, after a damaged one in another`() throws {
        let (whole, boot) = try journal(of: 20)
        var broken = whole
        broken[whole.count / 4] ^= 0x55
        for (bytes, isSameBoot) in [(Array(whole.dropLast(3)), true), (broken, false), ([], false)] {
            try withTemporaryDirectory { directory in
                try directory.setJournal(bytes)
                let store = try open(directory, seed: 2)
                #expect((store.bootID == boot) == isSameBoot)
                #expect(store.append(.sample).seq == UInt32(store.count))
                _ = consume store
                // The damaged end has been removed.
                #expect(try JournalContents(directory.journal()).end == .whole)
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `reads any bytes without a crash`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0..<400, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let contents = JournalContents(bytes)
        #expect(contents.head == nil)
        #expect(contents.fixes.isEmpty)
    }

    @Test func `reading ends at a foreign record`() {
        let head = JournalRecord.head(JournalHead(deviceID: "d", bootID: "b", boot: "", lastSeq: 3)).bytes ?? []
        for payload in [[1], [2, 9], [3, 1, 2], [9, 9], [1, 0, 0, 0, 0, 1, 65, 1, 66, 0, 7]] as [[UInt8]] {
            let record = UInt32(payload.count).littleEndianBytes + Checksum.of(payload).littleEndianBytes + payload
            let contents = JournalContents(head + record)
            #expect(contents.end == .corrupt)
            #expect(contents.head?.lastSeq == 3)
        }
    }

    @Test func `the checksum is that of the standard`() {
        #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926)
    }
}
