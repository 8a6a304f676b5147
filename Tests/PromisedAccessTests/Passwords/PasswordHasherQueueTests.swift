import Foundation
import PromisedConcurrency
import PromisedTestMarks
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

/// Turns of the hasher, with a function that waits until the test releases it.
@Suite(.timeLimit(.minutes(1))) struct PasswordHasherQueueTests {
    /// A function that reports its password and then waits until it is released.
    private struct Gate: Sendable {
        let started = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(100))
        /// Only the hasher's own threads wait for it.
        let go = DispatchSemaphore(value: 0)
        let running = Guarded<(now: Int, most: Int)>((0, 0))

        func hasher(_ queue: PasswordQueue) -> PasswordHasher {
            PasswordHasher(cost: .cheap, queue: queue, generator: SystemRandomNumberGenerator()) {
                password,
                _,
                _,
                length in
                running.withLock { count in
                    count.now += 1
                    count.most = max(count.most, count.now)
                }
                started.continuation.yield(password)
                go.wait()
                running.withLock { $0.now -= 1 }
                return [UInt8](repeating: 0, count: length)
            }
        }

        /// Releases all calls.
        func open() {
            for _ in 0..<100 { go.signal() }
        }
    }

    /// Waits until `count` callers wait for a turn.
    private func untilQueued(_ count: Int, at hasher: PasswordHasher) async {
        while await hasher.queueLength < count, !Task.isCancelled { await Task.yield() }
    }

    @Test(.proves("2.3")) func `runs two at once, the others in turn, the newest first`() async throws {
        let gate = Gate()
        let hasher = gate.hasher(PasswordQueue(limit: 3))
        var started = gate.started.stream.makeAsyncIterator()
        try await withThrowingTaskGroup { group in
            // Also after a failure halfway.
            defer { gate.open() }
            for name in ["a", "b"] {
                group.addTask { try await hasher.verifyDummy(name) }
                #expect(await started.next() == name)
            }
            for (index, name) in ["c", "d", "e"].enumerated() {
                group.addTask { try await hasher.verifyDummy(name) }
                await untilQueued(index + 1, at: hasher)
            }
            for name in ["e", "d", "c"] {
                gate.go.signal()
                #expect(await started.next() == name)
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(gate.running.withLock { $0.most } == 2)
        #expect(await hasher.queueLength == 0)
    }

    @Test(.proves("2.3")) func `rejects one beyond the queue's capacity at once`() async throws {
        let gate = Gate()
        let hasher = gate.hasher(PasswordQueue(limit: 1))
        var started = gate.started.stream.makeAsyncIterator()
        try await withThrowingTaskGroup { group in
            // Also after a failure halfway.
            defer { gate.open() }
            for _ in 0..<2 {
                group.addTask { try await hasher.verifyDummy("runs") }
                _ = await started.next()
            }
            let guesser = PasswordCaller(address: ThrottleAddress("192.0.2.1"), failures: 2)
            let waits = Task { try await hasher.verifyDummy("waits", for: guesser) }
            await untilQueued(1, at: hasher)
            let worse = PasswordCaller(address: ThrottleAddress("192.0.2.2"), failures: 3)
            await #expect(throws: PasswordHasherError.overloaded) {
                try await hasher.verifyDummy("refused", for: worse)
            }
            // A caller with fewer failures replaces a waiting one.
            group.addTask { try await hasher.verifyDummy("better") }
            await #expect(throws: PasswordHasherError.overloaded) { try await waits.value }
            gate.open()
            try await group.waitForAll()
        }
        // Then there is room again.
        try await hasher.verifyDummy("later")
    }

    @Test(.proves("2.18")) func `rejects one beyond an address's share of the queue at once`() async throws {
        let gate = Gate()
        let hasher = gate.hasher(PasswordQueue(perAddress: 1))
        let here = PasswordCaller(address: ThrottleAddress("192.0.2.1"), failures: 0)
        var started = gate.started.stream.makeAsyncIterator()
        try await withThrowingTaskGroup { group in
            // Also after a failure halfway.
            defer { gate.open() }
            for _ in 0..<2 {
                group.addTask { try await hasher.verifyDummy("runs", for: here) }
                _ = await started.next()
            }
            group.addTask { try await hasher.verifyDummy("waits", for: here) }
            await untilQueued(1, at: hasher)
            await #expect(throws: PasswordHasherError.crowded) { try await hasher.hash("refused", for: here) }
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test func `skips a cancelled caller`() async throws {
        let gate = Gate()
        let hasher = gate.hasher(PasswordQueue(limit: 2))
        var started = gate.started.stream.makeAsyncIterator()
        try await withThrowingTaskGroup { group in
            // Also after a failure halfway.
            defer { gate.open() }
            for _ in 0..<2 {
                group.addTask { try await hasher.verifyDummy("runs") }
                _ = await started.next()
            }
            group.addTask { try await hasher.verifyDummy("next") }
            await untilQueued(1, at: hasher)
            let cancelled = Task { try await hasher.verifyDummy("cancelled") }
            await untilQueued(2, at: hasher)
            cancelled.cancel()
            gate.go.signal()
            #expect(await started.next() == "next")
            await #expect(throws: PasswordHasherError.cancelled) { try await cancelled.value }
            gate.open()
            try await group.waitForAll()
        }
    }
}
