import Dispatch
import PromisedConcurrency
import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct WorkQueueTests {
    @Test(.defends("costly-queries"))
    func `a full queue rejects work until there is room`() async throws {
        let queue = WorkQueue(label: "test", about: "tests")
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                try await queue.run {
                    begun.signal()
                    gate.wait()
                    return -1
                }
            }
            await Self.wait(for: begun)
            for number in 0..<WorkQueue.limit { group.addTask { try await queue.run { number } } }
            while queue.waiting < WorkQueue.limit { await Task.yield() }
            let error = await #expect(throws: ApplicationError.self) { try await queue.run { 0 } }
            guard case .unavailable(let retryAfter, _) = error else {
                Issue.record("another error: \(String(describing: error))")
                gate.signal()
                return
            }
            #expect(retryAfter > .zero)
            gate.signal()
            var results: [Int] = []
            for try await result in group { results.append(result) }
            #expect(results.sorted() == Array(-1..<WorkQueue.limit))
        }
        #expect(queue.waiting == 0)
        #expect(try await queue.run { 7 } == 7)
    }

    @Test func `a replacement thread gets the work in order`() async throws {
        let pieces = Guarded<[@Sendable () -> Void]>([])
        let queue = WorkQueue(
            label: "test",
            about: "tests",
            on: WorkThread { work in pieces.withLock { $0.append(work) } }
        )
        async let answer = queue.run { 7 }
        while pieces.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(queue.waiting == 1)
        for work in pieces.withLock({ $0 }) { work() }
        #expect(try await answer == 7)
        #expect(try await WorkQueue(label: "test", about: "tests", on: .calling).run { 8 } == 8)
    }

    @Test func `serves users in turn, and each one's work in order`() async throws {
        let pieces = Guarded<[@Sendable () -> Void]>([])
        let queue = WorkQueue(
            label: "test",
            about: "tests",
            on: WorkThread { work in pieces.withLock { $0.append(work) } }
        )
        let done = Guarded<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            let asked: [(UserID?, String)] = [
                (.user(1), "a1"), (.user(1), "a2"), (.user(1), "a3"), (.user(2), "b1"), (nil, "s1"), (.user(2), "b2"),
            ]
            for (count, (user, name)) in asked.enumerated() {
                group.addTask { try await queue.run(inTurnOf: user) { done.withLock { $0.append(name) } } }
                while pieces.withLock({ $0.count }) <= count { await Task.yield() }
            }
            for work in pieces.withLock({ $0 }) { work() }
            try await group.waitForAll()
        }
        #expect(done.withLock { $0 } == ["a1", "b1", "s1", "a2", "b2", "a3"])
        #expect(queue.waiting == 0)
    }

    @Test func `runs one piece of work at a time`() async throws {
        let queue = WorkQueue(label: "test", about: "tests")
        let running = Guarded((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await queue.run {
                        running.withLock { running in
                            running.now += 1
                            running.most = max(running.most, running.now)
                        }
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
    }

    /// Waits on a separate thread, not of the pool.
    static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
