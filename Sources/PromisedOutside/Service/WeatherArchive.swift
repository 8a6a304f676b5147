package import PromisedDomain
package import PromisedPlaces

/// Stores records of cells, claims and the day's requests. Implemented outside this module, so that several nodes share
/// them.
package protocol WeatherArchive: Sendable {
    /// The record of a cell from a provider; nil without one.
    func record(of key: WeatherKey) async throws(WeatherArchiveError) -> WeatherRecord?

    /// Stores a record, replacing the previous one.
    func keep(_ record: WeatherRecord) async throws(WeatherArchiveError)

    /// Claims the fetch of a cell: `true` unless another claim is valid beyond `now`. A claim ends at `end`, or when it
    /// is released.
    func claim(_ key: WeatherKey, from now: Instant, until end: Instant) async throws(WeatherArchiveError) -> Bool

    /// Ends this caller's claim.
    func release(_ key: WeatherKey) async throws(WeatherArchiveError)

    /// Counts one request of a day (``WeatherBudget/day(of:)``) if fewer than `limit` were counted.
    ///
    /// - Returns: `false` if the limit is reached; then the request is not counted.
    func spendRequest(on day: Int64, limit: Int) async throws(WeatherArchiveError) -> Bool

    /// The requests counted on a day.
    func requestsSpent(on day: Int64) async throws(WeatherArchiveError) -> Int
}

/// Identifies a record: a cell and the provider of its forecast.
package struct WeatherKey: Hashable, Sendable {
    package let source: WeatherSource
    package let cell: WeatherCell

    /// The key of a provider's record of a cell.
    package init(source: WeatherSource, cell: WeatherCell) {
        self.source = source
        self.cell = cell
    }
}

/// Why the archive failed: a reason for the log, without the cell.
package struct WeatherArchiveError: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
