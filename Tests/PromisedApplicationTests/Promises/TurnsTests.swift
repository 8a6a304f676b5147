import PromisedConcurrency
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(1))) struct TurnsTests {
    @Test func `serializes actions on one key and releases it afterwards`() async {
        let turns = Turns<Int>()
        let (running, most) = (Guarded(0), Guarded(0))
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    // Key 0 is in all of them.
                    await turns.hold([0, 1 + number % 3]) {
                        let count = running.withLock { count in
                            count += 1
                            return count
                        }
                        most.withLock { $0 = max($0, count) }
                        await Task.yield()
                        running.withLock { $0 -= 1 }
                    }
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
        #expect(turns.heldCount == 0)
    }

    @Test func `actions on other keys do not wait`() async {
        let turns = Turns<Int>()
        let order = await turns.hold([1]) { await turns.hold([2, 3]) { "inside" } }
        #expect(order == "inside")
    }

    @Test func `a failed action releases its keys`() async {
        struct Failure: Error {}
        let turns = Turns<Int>()
        await #expect(throws: Failure.self) { try await turns.hold([1, 2]) { throw Failure() } }
        #expect(turns.heldCount == 0)
        #expect(await turns.hold([2, 1]) { true })
    }
}
