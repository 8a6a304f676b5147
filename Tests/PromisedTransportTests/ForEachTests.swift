import PromisedConcurrency
import Testing

@testable import PromisedTransport

@Suite("Calls for each element", .timeLimit(.minutes(5)))
struct ForEachTests {
    private struct Counts: Sendable {
        var underWay = 0
        var most = 0
        var served: [Int] = []
    }

    @Test(arguments: [1, 3, 10]) func `runs at most the limit at once, and each in turn`(
        limit: Int
    ) async {
        let counts = Guarded(Counts())
        let isFull = OneShotEvent()
        let (elements, given) = AsyncStream.makeStream(of: Int.self)
        for element in 0..<30 { given.yield(element) }
        given.finish()
        await elements.forEach(atOnce: limit) { element in
            let isLast = counts.withLock { counts in
                counts.underWay += 1
                counts.most = max(counts.most, counts.underWay)
                counts.served.append(element)
                return counts.underWay == limit
            }
            // The first ones wait for one another: with fewer at once, the test would hang.
            if isLast { isFull.signal() }
            await isFull.wait()
            for _ in 0..<5 { await Task.yield() }
            counts.withLock { $0.underWay -= 1 }
        }
        let end = counts.withLock { $0 }
        #expect(end.most == limit)
        #expect(end.underWay == 0)
        #expect(end.served.sorted() == Array(0..<30))
    }

    @Test func `ends with its task`() async {
        let (elements, given) = AsyncStream.makeStream(of: Int.self)
        let task = Task { await elements.forEach(atOnce: 2) { _ in } }
        given.yield(1)
        task.cancel()
        await task.value
    }
}
