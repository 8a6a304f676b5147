internal import GRDB
package import PromisedDomain

/// Names a node that fetches weather; drawn anew at each start.
package enum WeatherFetcher {}
/// Names a node that fetches weather.
package typealias WeatherFetcherID = ID<WeatherFetcher>

extension Store {
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

    /// Keeps a record in place of an earlier one; one that was fetched later stays.
    package func keepWeather(_ record: WeatherRecord) async throws(StoreError) {
        try await write { db in try WeatherCellRecord.put(record, into: db) }
    }

    // MARK: - Fetches

    /// Claims the fetch of a cell, so that no other node asks the provider at the same time.
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

    /// Ends a fetcher's claim, if it still has it. Primary key.
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

    /// Ends all claims. Call it at the start of a server, which is alone on its database: an earlier process that was killed
    /// releases nothing. The table is small.
    package func endWeatherClaims() async throws(StoreError) {
        try await write { db in try db.run("DELETE FROM weather_claim") }
    }

    /// Counts one request of a day (``WeatherBudget/day(of:)``), if fewer than `limit` were counted. Primary key.
    ///
    /// - Returns: `false` if the limit is reached.
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

    /// Deletes records that were fetched before an instant, claims that ended before it, and the numbers of requests of
    /// the days before it. Index `weather_cell_by_age`; the other two tables are small.
    package func sweepWeather(before instant: Instant) async throws(StoreError) {
        try await write { db in
            try db.run(WeatherCellRecord.sweep, [instant])
            try db.run("DELETE FROM weather_claim WHERE ends_at < ?", [instant])
            try db.run("DELETE FROM weather_request WHERE day < ?", [WeatherBudget.day(of: instant)])
        }
    }
}
