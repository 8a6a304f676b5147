extension AsyncSequence where Element: Sendable, Failure == Never {
    /// Calls `body` with each element, for at most `limit` of them at the same time, and returns when the sequence and
    /// all calls have ended. Further elements wait in the sequence. Cancellation lifts the limit: the remaining
    /// elements are processed at once.
    public func forEach(atOnce limit: Int, _ body: @escaping @Sendable (Element) async -> Void) async {
        let (places, given) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(limit))
        for _ in 0..<limit { given.yield() }
        // Discarding: another group would keep the memory of ended calls.
        await withDiscardingTaskGroup { group in
            var places = places.makeAsyncIterator()
            for await element in self {
                await places.next()
                group.addTask {
                    await body(element)
                    given.yield()
                }
            }
        }
    }
}
