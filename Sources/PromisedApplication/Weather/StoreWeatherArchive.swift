package import PromisedDomain
package import PromisedOutside
package import PromisedPlaces
package import PromisedStore

/// The weather service's records in the store. Each node creates its own, with a new id.
package struct StoreWeatherArchive: WeatherArchive {
    private let store: WeatherStore
    private let holder: WeatherFetcherID

    /// An archive in a store, whose claims use a random id.
    package init(_ store: some HasWeather, at now: Instant, random: RandomSource) {
        var generator = random
        self.store = store.weather
        holder = WeatherFetcherID(at: now, using: &generator)
    }

    /// The record of a cell from a provider; nil if there is none.
    package func record(of key: WeatherKey) async throws(WeatherArchiveError) -> WeatherRecord? {
        try await fromStore { () async throws(StoreError) in try await store.weather(of: key.cell, from: key.source) }
    }

    /// Stores a record in place of an earlier one.
    package func keep(_ record: WeatherRecord) async throws(WeatherArchiveError) {
        try await fromStore { () async throws(StoreError) in try await store.keepWeather(record) }
    }

    /// Claims the fetch of a cell.
    package func claim(
        _ key: WeatherKey,
        from now: Instant,
        until end: Instant
    ) async throws(WeatherArchiveError) -> Bool {
        try await fromStore { () async throws(StoreError) in
            try await store.claimWeather(of: key.cell, from: key.source, by: holder, at: now, until: end)
        }
    }

    /// Ends this node's claim.
    package func release(_ key: WeatherKey) async throws(WeatherArchiveError) {
        try await fromStore { () async throws(StoreError) in
            try await store.releaseWeather(of: key.cell, from: key.source, by: holder)
        }
    }

    /// Counts one request of a day if fewer than `limit` were counted.
    package func spendRequest(on day: Int64, limit: Int) async throws(WeatherArchiveError) -> Bool {
        try await fromStore { () async throws(StoreError) in
            try await store.spendWeatherRequest(on: day, limit: limit)
        }
    }

    /// The requests counted on a day.
    package func requestsSpent(on day: Int64) async throws(WeatherArchiveError) -> Int {
        try await fromStore { () async throws(StoreError) in try await store.weatherRequests(on: day) }
    }

    private func fromStore<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(WeatherArchiveError) -> Value {
        do {
            return try await body()
        } catch {
            throw WeatherArchiveError(reason: error.description)
        }
    }
}
