import PromisedDomain

/// The fetches under way, at most one per record, and the callers that wait for them.
struct WeatherFlights {
    private var waiters: [WeatherKey: [AsyncStream<Void>.Continuation]] = [:]

    /// `true` while a record is being fetched.
    func isUnderway(_ key: WeatherKey) -> Bool { waiters[key] != nil }

    /// The number of fetches.
    var count: Int { waiters.count }

    /// Begins a fetch.
    ///
    /// - Returns: `false` if it is under way already.
    mutating func begin(_ key: WeatherKey) -> Bool {
        guard waiters[key] == nil else { return false }
        waiters[key] = []
        return true
    }

    /// A sequence without elements that ends with the fetch; at once without one.
    mutating func end(of key: WeatherKey) -> AsyncStream<Void> {
        let (end, waiter) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if waiters[key] == nil {
            waiter.finish()
        } else {
            waiters[key]?.append(waiter)
        }
        return end
    }

    /// Ends a fetch and resumes its callers.
    mutating func finish(_ key: WeatherKey) {
        for waiter in waiters.removeValue(forKey: key) ?? [] { waiter.finish() }
    }
}
