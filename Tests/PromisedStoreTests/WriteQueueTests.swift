import Dispatch
import PromisedConcurrency
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct WriteQueueTests {
    @Test func `concurrent writes share transactions and keep their order`() async throws {
        try await withStore { store async throws in
            let before = await store.sqlite.queue.transactionCount
            try await whileWriterIsHeld(store) { tasks in
                for number in 0..<100 {
                    tasks.addTask { try await store.note("write \(number)") }
                    await taken(number, by: store)
                }
            }
            #expect(await store.sqlite.queue.transactionCount - before == 2)
            #expect(try await store.notes() == (0..<100).map { "write \($0)" })
        }
    }

    @Test func `no transaction holds more writes than the limit`() async throws {
        try await withStore { store async throws in
            let before = await store.sqlite.queue.transactionCount
            try await whileWriterIsHeld(store) { tasks in
                for number in 0..<600 {
                    tasks.addTask { try await store.note("write \(number)") }
                    await taken(number, by: store)
                }
            }
            #expect(await store.sqlite.queue.transactionCount - before == 4)
            #expect(try await store.notes() == (0..<600).map { "write \($0)" })
        }
    }

    @Test func `rolls a failed write back alone`() async throws {
        try await withStore { store async throws in
            try await whileWriterIsHeld(store) { tasks in
                for number in 0..<10 {
                    tasks.addTask {
                        if number == 5 {
                            await #expect(throws: StoreError.fenced) {
                                try await store.note("write \(number)", failing: true)
                            }
                        } else {
                            try await store.note("write \(number)")
                        }
                    }
                    await taken(number, by: store)
                }
            }
            #expect(try await store.notes() == [0, 1, 2, 3, 4, 6, 7, 8, 9].map { "write \($0)" })
        }
    }

    @Test func `a single failed write leaves no trace and is not a failure of the store`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.fenced) { try await store.note("lost", failing: true) }
            try await store.note("kept")
            #expect(try await store.notes() == ["kept"])
        }
    }

    @Test func `never acknowledges a write whose transaction was rolled back`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.self) {
                try await store.write { db in
                    try db.run("INSERT INTO audit (at, actor, action, subject, detail) VALUES (0, '', '', '', 'lost')")
                    // As SQLite does by itself after some errors.
                    try db.run("ROLLBACK")
                }
            }
            try await store.note("kept")
            #expect(try await store.notes() == ["kept"])
        }
    }

    @Test func `a full disk fails every write of the transaction`() async throws {
        try await withStore { store async throws in
            try await store.note("before")
            try await store.limitPages(toMoreBy: 4)
            try await whileWriterIsHeld(store) { tasks in
                for number in 0..<4 {
                    tasks.addTask {
                        let text = number < 2 ? "small" : String(repeating: "large", count: 20_000)
                        if number == 0 {
                            // The first transaction contains only its leader.
                            try await store.note("alone")
                        } else {
                            await #expect(throws: StoreError.unavailable(code: 13)) { try await store.note(text) }
                        }
                    }
                    await taken(number, by: store)
                }
            }
            #expect(try await store.notes() == ["before", "alone"])
            try await store.limitPages(toMoreBy: 1_000_000)
            try await store.note("after")
        }
    }

    @Test func `reports a full disk as a failure of the store, but not a rejected write`() async throws {
        let reports = Guarded<[CommitReport]>([])
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path) { report in reports.withLock { $0.append(report) } }
        await #expect(throws: StoreError.fenced) { try await store.note("refused", failing: true) }
        #expect(reports.withLock { $0 }.map(\.isDurable) == [true])
        try await store.limitPages(toMoreBy: 0)
        await #expect(throws: StoreError.unavailable(code: 13)) {
            try await store.note(String(repeating: "large", count: 20_000))
        }
        try await store.limitPages(toMoreBy: 1_000_000)
        #expect(reports.withLock { $0 }.map(\.isDurable) == [true, true, false, true])
        #expect(reports.withLock { $0 }.map(\.writes) == [1, 1, 1, 1])
        try await store.close()
    }

    @Test func `a cancelled leader fails no other write`() async throws {
        try await withStore { store async throws in
            let leader = Task { try await store.note("cancelled") }
            leader.cancel()
            try await leader.value
            #expect(try await store.notes() == ["cancelled"])
        }
    }

    @Test func `closing waits for accepted writes`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await whileWriterIsHeld(store) { tasks in
            for number in 0..<3 {
                tasks.addTask { try await store.note("write \(number)") }
                await taken(number, by: store)
            }
            tasks.addTask { try await store.close() }
        }
        let again = try await Store.open(directory: directory.path)
        #expect(try await again.notes().count == 3)
        try await again.close()
    }

    @Test func `bounds the log for any number of writes`() async throws {
        try await withStore { store async throws in
            let text = String(repeating: "x", count: 200_000)
            for _ in 0..<100 {
                try await store.note(text)
                #expect(store.upkeep.logBytes < 6 << 20)
            }
        }
    }

    @Test func `a large write has its own transaction and waits for others`() async throws {
        try await withStore { store async throws in
            let before = await store.sqlite.queue.transactionCount
            try await whileWriterIsHeld(store) { tasks in
                for (number, isAlone) in [false, true, true, false, false, true].enumerated() {
                    tasks.addTask { try await store.note("write \(number)", isAlone: isAlone) }
                    await taken(number, by: store)
                }
            }
            // In turn: 0 leads, then a single one, then the small ones together, then the others alone.
            #expect(await store.sqlite.queue.transactionCount - before == 5)
            #expect(try await store.notes() == [0, 1, 3, 4, 2, 5].map { "write \($0)" })
        }
    }

    @Test func `a failed large write leaves no trace, and the queue continues`() async throws {
        try await withStore { store async throws in
            await #expect(throws: StoreError.fenced) { try await store.note("lost", failing: true, isAlone: true) }
            try await store.note("small")
            try await store.note("large", isAlone: true)
            #expect(try await store.notes() == ["small", "large"])
        }
    }

    @Test func `closing waits for large writes and rejects later ones`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        try await whileWriterIsHeld(store) { tasks in
            for number in 0..<3 {
                tasks.addTask { try await store.note("write \(number)", isAlone: true) }
                await taken(number, by: store)
            }
            tasks.addTask { try await store.close() }
        }
        await #expect(throws: StoreError.closed) { try await store.note("late", isAlone: true) }
        let again = try await Store.open(directory: directory.path)
        #expect(try await again.notes().count == 3)
        try await again.close()
    }

    /// Waits until the queue has write number `number` after the leader, which is number 0.
    private func taken(_ number: Int, by store: Store) async {
        while await !store.sqlite.queue.hasTaken(number), !Task.isCancelled { await Task.yield() }
    }

    /// Lets `body` add writes while the writer's thread is blocked, then releases it and waits for them.
    private func whileWriterIsHeld(
        _ store: Store,
        _ body: (inout ThrowingTaskGroup<Void, any Error>) async throws -> Void
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        store.sqlite.pool.asyncWriteWithoutTransaction { _ in gate.wait() }
        try await withThrowingTaskGroup { tasks in
            try await body(&tasks)
            gate.signal()
            try await tasks.waitForAll()
        }
    }
}

extension WriteQueue {
    fileprivate func hasTaken(_ number: Int) -> Bool { !isIdle && waitingCount >= number }
}

extension Store {
    fileprivate func note(
        _ text: String,
        failing: Bool = false,
        isAlone: Bool = false
    ) async throws(StoreError) {
        let work: @Sendable (SQLConnection) throws -> Void = { db in
            try db.run("INSERT INTO audit (at, actor, action, subject, detail) VALUES (0, '', '', '', ?)", [text])
            if failing { throw StoreError.fenced }
        }
        if isAlone { try await writeAlone(work) } else { try await write(work) }
    }

    fileprivate func notes() async throws -> [String] {
        try await read { db in try db.rows("SELECT detail FROM audit ORDER BY id").map { try $0.value(0) as String } }
    }
}
