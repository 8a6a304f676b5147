import Dispatch
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct ReadQueueTests {
    @Test func `waiting reads occupy no connection and then share one`() async throws {
        try await withStore { store async throws in
            let before = await store.sqlite.reads.transactionCount
            try await whileReadersAreHeld(store) { tasks in
                for _ in 0..<40 {
                    tasks.addTask {
                        let number = try await store.read { db in try db.number("SELECT 7") }
                        #expect(number == 7)
                    }
                }
                await waiting(40, at: store)
                #expect(await store.sqlite.reads.transactionCount - before == readers)
                // Long reads have a separate reader.
                let violations = try await store.upkeep.verify()
                #expect(violations.isEmpty)
            }
            // Sixteen share one, except possibly the last ones.
            let count = await store.sqlite.reads.transactionCount - before - readers
            #expect((3...5).contains(count))
            #expect(await store.sqlite.reads.waitingCount == 0)
        }
    }

    @Test func `reads few events with other short reads, hundreds with long ones`()
        async throws
    {
        try await withStore { store async throws in
            let promise = PromiseID(high: 1, low: 1)
            try await whileReadersAreHeld(store) { tasks in
                let many = try await store.promises.events(of: promise, after: 0, limit: 51)
                #expect(many.isEmpty)
                tasks.addTask {
                    let few = try await store.promises.events(of: promise, after: 0, limit: 50)
                    #expect(few.isEmpty)
                }
                await waiting(1, at: store)
            }
        }
    }

    @Test func `a delayed read sees all writes before its request`() async throws {
        try await withStore { store async throws in
            try await whileReadersAreHeld(store) { tasks in
                for number in 1...20 {
                    try await store.write { db in try db.run("INSERT INTO meta VALUES (?, '')", ["note \(number)"]) }
                    tasks.addTask {
                        let count = try await store.read { db in
                            try db.number("SELECT count(*) FROM meta WHERE key LIKE 'note %'")
                        }
                        #expect(count >= number)
                    }
                    await waiting(number, at: store)
                }
            }
        }
    }

    @Test func `a failed read does not affect others`() async throws {
        try await withStore { store async throws in
            try await whileReadersAreHeld(store) { tasks in
                for number in 0..<10 {
                    tasks.addTask {
                        if number == 5 {
                            await #expect(throws: StoreError.fenced) {
                                try await store.read { _ -> Int in throw StoreError.fenced }
                            }
                        } else {
                            let found = try await store.read { db in try db.number("SELECT \(number)") }
                            #expect(found == number)
                        }
                    }
                }
                await waiting(10, at: store)
            }
        }
    }

    @Test func `reads an empty answer`() async throws {
        try await withStore { store async throws in
            let found = try await store.read { db in try db.row("SELECT 1 WHERE 0").map { try $0.value(0) as Int } }
            #expect(found == nil)
        }
    }

    @Test func `a cancelled first reader does not affect others`() async throws {
        try await withStore { store async throws in
            let leader = Task { try await store.read { db in try db.number("SELECT 7") } }
            leader.cancel()
            #expect(try await leader.value == 7)
        }
    }

    private let readers = StoreOpening.readerCount - 1

    private func waiting(_ count: Int, at store: Store) async {
        while await store.sqlite.reads.waitingCount < count, !Task.isCancelled { await Task.yield() }
    }

    /// Lets `body` add reads while all readers are blocked, then releases them and waits for all.
    private func whileReadersAreHeld(
        _ store: Store,
        _ body: (inout ThrowingTaskGroup<Void, any Error>) async throws -> Void
    ) async throws {
        let arrived = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup { tasks in
            for _ in 0..<readers {
                tasks.addTask {
                    try await store.read { _ in
                        arrived.signal()
                        gate.wait()
                    }
                }
            }
            _ = await SQLiteDriver.offPool { for _ in 0..<readers { arrived.wait() } }
            try await body(&tasks)
            for _ in 0..<readers { gate.signal() }
            try await tasks.waitForAll()
        }
    }
}
