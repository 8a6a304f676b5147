package import PromisedDomain
package import PromisedPlaces

/// A node that fetches weather.
package enum WeatherFetcher {}
/// The id of a node that fetches weather; random for each start.
package typealias WeatherFetcherID = ID<WeatherFetcher>

/// Forecasts, and who fetches them; meetings that need them.
package struct WeatherStore: StorePart {
    let driver: any StoreDriver

    // MARK: - Records

    /// The record of a cell from a provider; nil if there is none. Primary key.
    package func weather(
        of cell: WeatherCell,
        from source: WeatherSource
    ) async throws(StoreError) -> WeatherRecord? {
        try await read { db in
            try db.row(WeatherCellRecord.fetch, [source.rawValue, cell.text]).map(WeatherCellRecord.record)
        }
    }

    /// Stores a record unless the stored one was fetched later.
    package func keepWeather(_ record: WeatherRecord) async throws(StoreError) {
        try await write { db in try WeatherCellRecord.put(record, into: db) }
    }

    // MARK: - Fetches

    /// Claims the fetch of a cell, so that only one node at a time queries the provider.
    ///
    /// - Returns: `false` if another fetcher's claim lasts beyond `now`.
    package func claimWeather(
        of cell: WeatherCell,
        from source: WeatherSource,
        by holder: WeatherFetcherID,
        at now: Instant,
        until end: Instant
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.row(
                """
                INSERT INTO weather_claim (source, cell, holder, ends_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (source, cell) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
                WHERE ends_at <= ? OR holder = excluded.holder
                RETURNING 1
                """,
                [source.rawValue, cell.text, holder, end, now]
            ) != nil
        }
    }

    /// Ends a fetcher's claim, if it still holds it. Primary key.
    package func releaseWeather(
        of cell: WeatherCell,
        from source: WeatherSource,
        by holder: WeatherFetcherID
    ) async throws(StoreError) {
        try await write { db in
            try db.run(
                "DELETE FROM weather_claim WHERE source = ? AND cell = ? AND holder = ?",
                [source.rawValue, cell.text, holder]
            )
        }
    }

    /// Ends all claims. Call this at the start of a server, the only one on its database: a killed process releases no
    /// claims. The table is small.
    package func endWeatherClaims() async throws(StoreError) {
        try await write { db in try db.run("DELETE FROM weather_claim") }
    }

    /// Counts one request of a day (``WeatherBudget/day(of:)``), if fewer than `limit` were counted. Primary key.
    ///
    /// - Returns: `false` if the limit has been reached.
    package func spendWeatherRequest(on day: Int64, limit: Int) async throws(StoreError) -> Bool {
        guard limit > 0 else { return false }
        return try await write { db in
            try db.row(
                """
                INSERT INTO weather_request (day, count) VALUES (?, 1)
                ON CONFLICT (day) DO UPDATE SET count = count + 1 WHERE count < ?
                RETURNING 1
                """,
                [day, limit]
            ) != nil
        }
    }

    /// The requests counted on a day. Primary key.
    package func weatherRequests(on day: Int64) async throws(StoreError) -> Int {
        try await read { db in
            try db.row("SELECT count FROM weather_request WHERE day = ?", [day]).map { try $0.value("count") } ?? 0
        }
    }

    /// Deletes records fetched before an instant, claims that ended before it, and the request counts of earlier days.
    /// Index `weather_cell_by_age`; the other two tables are small.
    package func sweepWeather(before instant: Instant) async throws(StoreError) {
        try await write { db in
            try db.run(WeatherCellRecord.sweep, [instant])
            try db.run("DELETE FROM weather_claim WHERE ends_at < ?", [instant])
            try db.run("DELETE FROM weather_request WHERE day < ?", [WeatherBudget.day(of: instant)])
        }
    }
}

package protocol HasWeather: Sendable {
    var weather: WeatherStore { get }
}
