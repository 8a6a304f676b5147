import Testing

@testable import PromisedOutside

@Suite(.timeLimit(.minutes(1))) struct RequestSlotsTests {
    /// Waits until as many are in the queue.
    private static func wait(for waiting: Int, in slots: RequestSlots) async {
        while await slots.waiting != waiting { await Task.yield() }
    }

    @Test func `gives slots in the order of requests`() async throws {
        let slots = RequestSlots(1, longestQueue: 3)
        try await slots.enter()
        let (order, entered) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(3))
        try await withThrowingTaskGroup { group in
            for number in 0..<3 {
                group.addTask {
                    try await slots.enter()
                    entered.yield(number)
                    await slots.leave()
                }
                await Self.wait(for: number + 1, in: slots)
            }
            await slots.leave()
            try await group.waitForAll()
        }
        entered.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == [0, 1, 2])
    }

    @Test func `a full queue rejects, and a cancelled caller leaves it`() async throws {
        let slots = RequestSlots(1, longestQueue: 1)
        try await slots.enter()
        let waiting = Task { try await slots.enter() }
        await Self.wait(for: 1, in: slots)
        await #expect(throws: OutsideError.busy) { try await slots.enter() }
        waiting.cancel()
        await #expect(throws: OutsideError.cancelled) { try await waiting.value }
        #expect(await slots.waiting == 0)
        // The slot is occupied once, not twice.
        await slots.leave()
        try await slots.enter()
        let second = Task { try await slots.enter() }
        await Self.wait(for: 1, in: slots)
        await slots.leave()
        try await second.value
    }

    @Test func `loses no slot to callers cancelled during their turn`() async throws {
        let slots = RequestSlots(1, longestQueue: 100)
        for _ in 0..<200 {
            try await slots.enter()
            let waiting = Task { try await slots.enter() }
            await Self.wait(for: 1, in: slots)
            async let left: Void = slots.leave()
            waiting.cancel()
            await left
            if (try? await waiting.value) != nil { await slots.leave() }  // Either may win.
        }
        try await slots.enter()
        #expect(await slots.waiting == 0)
    }
}
