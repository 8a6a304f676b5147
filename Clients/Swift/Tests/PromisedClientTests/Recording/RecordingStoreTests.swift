import Foundation
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite struct RecordingStoreTests {
    private func open(
        _ directory: TemporaryDirectory,
        limit: Int = 1_000,
        boot: String? = "run-1"
    ) throws -> RecordingStore {
        try RecordingStore(directory: directory.path, limit: limit, time: TestTime(boot: boot))
    }

    /// A store with a recording of `count` points, numbered from 1.
    private func recorded(
        _ count: Int,
        in directory: TemporaryDirectory,
        boot: String? = "run-1"
    ) throws -> RecordingStore {
        var store = try open(directory, boot: boot)
        let time = TestTime(boot: boot)
        #expect(store.change(to: .test(time)) == nil)
        for number in 0..<count {
            let (seq, _, failure) = store.append(.at(Double(number)).stamped(by: time, age: .zero))
            #expect(seq == UInt32(number + 1) && failure == nil)
        }
        return store
    }

    private func bytes(in directory: TemporaryDirectory) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory.recordingJournal)))
    }

    private func write(_ bytes: [UInt8], in directory: TemporaryDirectory) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: directory.recordingJournal))
    }

    @Test func `a recording continues with its points, numbers and segment`() throws {
        try withTemporaryDirectory { directory in
            var store = try recorded(5, in: directory)
            var head = try #require(store.head)
            (head.segment, head.recordingID, head.isStartSent) = (2, "r", true)
            head.finish = .init(title: "Way", memo: "Line\nline", photos: [.init(fileID: "f", caption: "Sea")])
            #expect(store.change(to: head) == nil)
            #expect(store.settle([2, 3], .taken).count == 2)
            #expect(store.settle([4], .rejected).count == 1)
            let (before, points) = (store.head, store.queue.fixes)
            store = RecordingStore(limit: 1, time: TestTime())
            store = try open(directory)
            #expect(store.head == before && store.queue.fixes == points)
            #expect(store.head?.counts.taken == 2 && store.head?.counts.rejected == 1)
            #expect(store.append(.at(9)).seq == 6)
            #expect(store.queue.fixes.last?.segment == 2)
            #expect(store.damagedPath == nil)
        }
    }

    @Test func `a full queue keeps the newest points and counts the others`() throws {
        try withTemporaryDirectory { directory in
            var store = try open(directory, limit: 3)
            _ = store.change(to: .test(TestTime()))
            #expect((1...5).map { store.append(.at(Double($0))).dropped } == [0, 0, 0, 1, 1])
            for _ in 1...2 {
                #expect(store.queue.fixes.map(\.seq) == [3, 4, 5])
                #expect(store.head?.counts.dropped == 2)
                store = RecordingStore(limit: 1, time: TestTime())
                store = try open(directory, limit: 3)
            }
        }
    }

    @Test(arguments: ["run-2", nil] as [String?])
    func `after a restart of the device numbers continue above the reserved ones, and points have no uptime`(
        boot: String?
    ) throws {
        try withTemporaryDirectory { directory in
            _ = try recorded(3, in: directory)
            var store = try open(directory, boot: boot)
            #expect(store.queue.fixes.map(\.seq) == [1, 2, 3])
            #expect(store.queue.fixes.allSatisfy { !$0.hasUptimeMs && $0.hasRecordedAt })
            #expect(store.append(.at(9)).seq == 1_001)
        }
    }

    @Test func `does not reuse numbers lost with the power`() throws {
        try withTemporaryDirectory { directory in
            _ = try recorded(1, in: directory)
            let early = try bytes(in: directory)
            var store = try open(directory)
            for number in 1...2_500 { #expect(store.append(.at(Double(number))).seq == UInt32(number + 1)) }
            let late = try bytes(in: directory)
            store = RecordingStore(limit: 1, time: TestTime())
            // Drops what was not synced: the file ends at the last reservation.
            let forced = lastHead(in: late)
            #expect(forced > early.count)
            try write(Array(late.prefix(forced)), in: directory)
            store = try open(directory, boot: "run-2")
            #expect(try #require(store.append(.at(0)).seq) > 2_501)
        }
    }

    /// The end of the last record of a recording in a journal.
    private func lastHead(in bytes: [UInt8]) -> Int {
        var reader = JournalReader<RecordingRecord>(bytes)
        var end = 0
        while let record = reader.next() {
            if case .head = record { end = bytes.count - reader.lostCount }
        }
        return end
    }

    @Test func `an ended recording leaves an empty file`() throws {
        try withTemporaryDirectory { directory in
            var store = try recorded(3, in: directory)
            #expect(store.end() == nil)
            #expect(try bytes(in: directory).isEmpty)
            store = RecordingStore(limit: 1, time: TestTime())
            store = try open(directory)
            #expect(store.head == nil && store.queue.isEmpty && store.damagedPath == nil)
            _ = store.change(to: .test(TestTime(), key: "other"))
            #expect(store.append(.at(1)).seq == 1)
        }
    }

    @Test func `the file stays small after any number of points`() throws {
        try withTemporaryDirectory { directory in
            var store = try recorded(0, in: directory)
            for number in 1...5_000 {
                let seq = try #require(store.append(.at(Double(number))).seq)
                #expect(store.settle([seq], .taken).failure == nil)
            }
            #expect(try bytes(in: directory).count < 120_000)
            #expect(store.head?.counts.taken == 5_000)
        }
    }

    @Test func `a directory has one recorder at a time`() throws {
        try withTemporaryDirectory { directory in
            let store = try open(directory)
            #expect(throws: FixStoreError.inUse) { try open(directory) }
            #expect(store.head == nil)
        }
    }

    // MARK: - Damage

    @Test func `a process killed during a write loses at most the last record`() throws {
        try withTemporaryDirectory { directory in
            _ = try recorded(6, in: directory)
            let whole = try bytes(in: directory)
            for length in stride(from: lastHead(in: whole), to: whole.count, by: 17) {
                try write(Array(whole.prefix(length)), in: directory)
                var store = try open(directory)
                let kept = store.queue.fixes.map(\.seq)
                #expect(kept == Array(UInt32(1)...6).prefix(kept.count).map { $0 }, "\(length)")
                #expect(store.damagedPath == nil && store.head?.segment == 0, "\(length)")
                // Above the number of the torn record.
                #expect(try #require(store.append(.at(9)).seq) > UInt32(kept.count), "\(length)")
            }
        }
    }

    @Test func `sets a damaged file aside, reports it, and reuses no number or segment`() throws {
        try withTemporaryDirectory { directory in
            _ = try recorded(50, in: directory)
            let whole = try bytes(in: directory)
            for place in stride(from: lastHead(in: whole) + 5, to: whole.count - 1_200, by: 37) {
                var broken = whole
                broken[place] ^= 0x55
                try write(broken, in: directory)
                var store = try open(directory)
                let path = try #require(store.damagedPath, "\(place)")
                #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == broken, "\(place)")
                let kept = store.queue.fixes.map(\.seq)
                #expect(kept == Array(UInt32(1)...50).prefix(kept.count).map { $0 }, "\(place)")
                #expect(try #require(store.append(.at(9)).seq) > 50, "\(place)")
                #expect(try #require(store.queue.fixes.last).segment > 0, "\(place)")
                // The readable part is written again.
                store = RecordingStore(limit: 1, time: TestTime())
                #expect(try open(directory).damagedPath == nil, "\(place)")
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `reads any bytes without a crash`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 1..<400, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let contents = RecordingContents(bytes)
        #expect(contents.head == nil && contents.points.isEmpty && contents.end != .whole)
    }

    @Test func `reports a full disk and keeps the points in memory`() throws {
        try withTemporaryDirectory { directory in
            var store = try recorded(1, in: directory)
            try FileManager.default.createSymbolicLink(
                atPath: directory.recordingJournal + ".new",
                withDestinationPath: "/dev/full"
            )
            #expect(store.end() != nil)
            // The points of the ended recording are still in the file, but not in the next one.
            _ = store.change(to: .test(TestTime(), key: "other"))
            #expect(store.append(.at(1)).seq == 1)
            #expect(store.queue.fixes.map(\.latitude) == [1])
            store = RecordingStore(limit: 1, time: TestTime())
            try FileManager.default.removeItem(atPath: directory.recordingJournal + ".new")
            store = try open(directory)
            #expect(store.head?.key == "other" && store.queue.fixes.map(\.latitude) == [1])
        }
    }
}
