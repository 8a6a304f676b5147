import PromisedTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignalsTests {
    @Test func `a wait ends when the condition is met, also when it was met before`() async {
        let signals = Signals<Int>()
        async let three = signals.wait { $0.count == 3 }
        for number in 1...3 { signals.note(number) }
        #expect(await three == [1, 2, 3])
        #expect(await signals.wait { $0.contains(2) } == [1, 2, 3])
        #expect(signals.all == [1, 2, 3])
    }

    @Test func `a condition can use earlier values`() async {
        let signals = Signals<Int>()
        async let seen = signals.wait { _ in signals.all.contains(1) }
        signals.note(1)
        #expect(await seen == [1])
    }

    @Test(arguments: [false, true])
    func `a wait ends with its task, whether it has begun or not`(hasBegun: Bool) async throws {
        let signals = Signals<Int>()
        let asked = Signals<Void>()
        signals.note(7)
        let waiting = Task {
            if !hasBegun { while !Task.isCancelled { await Task.yield() } }
            return await signals.wait { all in
                asked.note(())
                return all.isEmpty
            }
        }
        if hasBegun { await asked.wait { !$0.isEmpty } }
        waiting.cancel()
        #expect(await waiting.value == [7])
        // No further wait evaluates it.
        let askedBefore = asked.all.count
        signals.note(8)
        #expect(asked.all.count == askedBefore)
    }

    @Test func `a lookup finds the element or throws the task's end`() async throws {
        let signals = Signals<Int>()
        async let even = signals.first { $0.isMultiple(of: 2) ? "\($0)" : nil }
        for number in [1, 4, 6] { signals.note(number) }
        #expect(try await even == "4")
        let vain = Task { try await signals.first { $0 > 6 ? $0 : nil } }
        vain.cancel()
        await #expect(throws: CancellationError.self) { try await vain.value }
    }
}
