package import PromisedDomain

/// Where records of cells, claims and the day's requests are kept. Implemented outside this module, so that several
/// nodes share them.
package protocol WeatherArchive: Sendable {
    /// The record of a cell from a provider; nil if there is none.
    func record(of key: WeatherKey) async throws(WeatherArchiveError) -> WeatherRecord?

    /// Keeps a record in place of the one before.
    func keep(_ record: WeatherRecord) async throws(WeatherArchiveError)

    /// Claims the fetch of a cell: `true` unless another claim lasts beyond `now`. A claim ends at `end`, or when it is
    /// released.
    func claim(_ key: WeatherKey, from now: Instant, until end: Instant) async throws(WeatherArchiveError) -> Bool

    /// Ends this caller's claim.
    func release(_ key: WeatherKey) async throws(WeatherArchiveError)

    /// Counts one request of a day (``WeatherBudget/day(of:)``) if fewer than `limit` were counted.
    ///
    /// - Returns: `false` if the limit is reached; nothing is counted then.
    func spendRequest(on day: Int64, limit: Int) async throws(WeatherArchiveError) -> Bool

    /// The requests counted on a day.
    func requestsSpent(on day: Int64) async throws(WeatherArchiveError) -> Int
}

/// Names a record: a cell and the provider of its forecast.
package struct WeatherKey: Hashable, Sendable {
    /// The provider.
    package let source: WeatherSource
    /// The cell.
    package let cell: WeatherCell

    /// The name of a provider's record of a cell.
    package init(source: WeatherSource, cell: WeatherCell) {
        self.source = source
        self.cell = cell
    }
}

/// Why the archive failed: a reason for the log, without a cell.
package struct WeatherArchiveError: Error, Hashable, Sendable {
    /// The reason.
    package let reason: String

    /// A failure for a reason.
    package init(reason: String) {
        self.reason = reason
    }
}
