import PromisedConcurrency
import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FixBufferTests {
    static let one = Promise.sample(number: 1).id
    static let two = Promise.sample(number: 2).id
    let sink = GatedSink()
    let clock = StepClock()

    @Test func `flushes fixes of all promises in one write, in order`() async {
        let buffer = buffer()
        buffer.add([fix(1), fix(2)], to: FixBufferTests.one)
        buffer.add([fix(3)], to: FixBufferTests.two)
        buffer.add([fix(4)], to: FixBufferTests.one)
        buffer.add([], to: FixBufferTests.two)
        #expect(buffer.pendingCount == 4)
        #expect(await buffer.flush())
        #expect(await sink.writes == [[FixBufferTests.one: [fix(1), fix(2), fix(4)], FixBufferTests.two: [fix(3)]]])
        #expect(buffer.pendingCount == 0)
        #expect(await buffer.flush())
        #expect(await sink.writes.count == 1)
    }

    @Test func `flushes every interval, and once more at the end`() async {
        let buffer = buffer()
        let running = Task { await buffer.run() }
        for round in 1...3 {
            await clock.sleeper()
            buffer.add([fix(UInt32(round))], to: FixBufferTests.one)
            clock.advance(by: .seconds(2))
            await sink.begun(round)
        }
        await clock.sleeper()
        buffer.add([fix(4)], to: FixBufferTests.one)
        running.cancel()
        await running.value
        #expect(await sink.writes.count == 4)
        #expect(buffer.pendingCount == 0)
    }

    @Test func `writes positions of a commit only once`() async {
        let buffer = buffer()
        buffer.add([fix(1)], to: FixBufferTests.one)
        buffer.add([fix(2)], to: FixBufferTests.two)
        #expect(await buffer.take(FixBufferTests.one) == [fix(1)])
        #expect(await buffer.take(FixBufferTests.one) == [])
        await buffer.flush()
        #expect(await sink.writes == [[FixBufferTests.two: [fix(2)]]])
    }

    @Test func `a commit waits for a flush of its promise and takes over a failed one's fixes`() async {
        let buffer = buffer()
        buffer.add([fix(1)], to: FixBufferTests.one)
        await sink.close()
        await sink.fail(with: .unavailable(code: 13))
        async let flushed = buffer.flush()
        await sink.begun(1)
        buffer.add([fix(2)], to: FixBufferTests.one)
        #expect(await buffer.take(FixBufferTests.two) == [])
        async let taken = buffer.take(FixBufferTests.one)
        await sink.open()
        #expect(await taken == [fix(1), fix(2)])
        #expect(await !flushed)
        #expect(buffer.pendingCount == 0)
    }

    @Test func `positions of a failed write precede later ones`() async {
        let buffer = buffer()
        buffer.add([fix(1)], to: FixBufferTests.one)
        let taken = await buffer.take(FixBufferTests.one)
        buffer.add([fix(2)], to: FixBufferTests.one)
        buffer.putBack(taken, to: FixBufferTests.one)
        #expect(await buffer.take(FixBufferTests.one) == [fix(1), fix(2)])
    }

    @Test func `a failed flush keeps the fixes in order, reports, and the next one writes them`() async {
        let reports = Guarded<[String]>([])
        let buffer = FixBuffer(sink: sink, interval: .seconds(2), clock: clock) { error, kept in
            reports.withLock { $0.append("\(error) \(kept)") }
        }
        buffer.add([fix(1)], to: FixBufferTests.one)
        await sink.fail(with: .unavailable(code: 13))
        #expect(await !buffer.flush())
        buffer.add([fix(2)], to: FixBufferTests.one)
        #expect(await !buffer.flush())
        await sink.fail(with: nil)
        #expect(await buffer.flush())
        #expect(await sink.writes == [[FixBufferTests.one: [fix(1), fix(2)]]])
        let sentence = "\(StoreError.unavailable(code: 13))"
        #expect(reports.withLock { $0 } == ["\(sentence) 1", "\(sentence) 2"])
        #expect(buffer.droppedCount == 0)
    }

    @Test func `drops the oldest fixes of the promise with the most beyond the capacity`() async {
        let buffer = buffer(limits: .init(capacity: 4))
        buffer.add([fix(1), fix(2), fix(3)], to: FixBufferTests.one)
        buffer.add([fix(4)], to: FixBufferTests.two)
        #expect(buffer.droppedCount == 0)
        buffer.add([fix(5), fix(6)], to: FixBufferTests.one)
        #expect(buffer.droppedCount == 2)
        #expect(buffer.pendingCount == 4)
        #expect(await buffer.take(FixBufferTests.one) == [fix(3), fix(5), fix(6)])
        #expect(await buffer.take(FixBufferTests.two) == [fix(4)])
    }

    @Test func `a recall finds durable, writing and waiting fixes, each once`() async throws {
        let buffer = buffer()
        let phone = fix(1).device
        for seq in 1...3 as ClosedRange<UInt32> {
            buffer.add([fix(4 - seq), .sample(fix(9).fix, of: .user(2))], to: FixBufferTests.one)
            if seq == 1 { await buffer.flush() }
            if seq == 2 { await sink.close() }
        }
        async let flushed = buffer.flush()
        await sink.begun(2)
        buffer.add([fix(4), fix(3)], to: FixBufferTests.one)
        let expected = [1, 2, 3, 4].map { fix($0).fix }
        let source = FixSource(promiseID: FixBufferTests.one, userID: .user(1), device: phone)
        #expect(try await buffer.fold(source, into: [SettledFix]()) { $0 += $1 } == expected)
        let pending = buffer.pending(FixBufferTests.one).filter { $0.userID == .user(1) }
        #expect(pending.map(\.fix).sorted() == expected)
        #expect(buffer.pending(FixBufferTests.two) == [])
        await sink.open()
        #expect(await flushed)
    }

    @Test(.proves("4.20")) func `a flush of one promise writes nothing of another`() async {
        let buffer = buffer()
        #expect(await buffer.flush(FixBufferTests.one))
        buffer.add([fix(1)], to: FixBufferTests.one)
        buffer.add([fix(2)], to: FixBufferTests.two)
        #expect(await buffer.flush(FixBufferTests.one))
        #expect(await buffer.flush(FixBufferTests.one))
        #expect(await sink.writes == [[FixBufferTests.one: [fix(1)]]])
        #expect(buffer.pending(FixBufferTests.one) == [] && buffer.pending(FixBufferTests.two) == [fix(2)])
        #expect(await buffer.flush())
        #expect(await sink.writes.last == [FixBufferTests.two: [fix(2)]])
    }

    @Test func `a flush of one promise waits for a write only if it has fixes to write itself`() async {
        let buffer = buffer()
        buffer.add([fix(1)], to: FixBufferTests.one)
        await sink.close()
        async let flushed = buffer.flush()
        await sink.begun(1)
        // This would never end if it waited.
        #expect(await buffer.flush(FixBufferTests.two))
        buffer.add([fix(2)], to: FixBufferTests.two)
        async let own = buffer.flush(FixBufferTests.two)
        async let same = buffer.flush(FixBufferTests.one)
        await sink.open()
        let outcomes = await [flushed, own, same]
        #expect(outcomes == [true, true, true])
        #expect(await sink.writes == [[FixBufferTests.one: [fix(1)]], [FixBufferTests.two: [fix(2)]]])
    }

    @Test func `a failed flush of one promise keeps its fixes and reports the failure`() async {
        let buffer = buffer()
        buffer.add([fix(1)], to: FixBufferTests.one)
        await sink.fail(with: .unavailable(code: 13))
        #expect(await !buffer.flush(FixBufferTests.one))
        #expect(buffer.pending(FixBufferTests.one) == [fix(1)])
        await sink.fail(with: nil)
        #expect(await buffer.flush(FixBufferTests.one))
        #expect(await sink.writes == [[FixBufferTests.one: [fix(1)]]])
    }

    @Test func `flushed fixes are durable in a store`() async throws {
        try await withStore(users: 1...1) { store, directory async throws in
            try await store.open(.sample())
            let buffer = FixBuffer(store: store)
            buffer.add([fix(1)], to: Promise.sample().id)
            #expect(await buffer.flush())
            let copy = try directory.copyAfterCrash()
            let revived = try await Store.open(directory: copy.path)
            #expect(try await revived.sessions.snapshot(of: Promise.sample().id, withFixes: true)?.fixes == [fix(1)])
            try await revived.close()
        }
    }

    private func buffer(limits: FixBuffer.Limits = .init()) -> FixBuffer {
        FixBuffer(sink: sink, interval: .seconds(2), clock: clock, limits: limits)
    }

    private func fix(_ seq: UInt32) -> ArchivedFix {
        .sample(.sample(seq: seq, at: .meeting + .seconds(Double(seq)), metres: Double(seq)))
    }
}
