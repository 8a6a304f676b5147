internal import PromisedConcurrency
import PromisedDomain
import PromisedPlaces

/// Fetches one record: claims it, queries the providers, stores it. A record that another node has stored since the
/// decision to fetch is used instead.
struct WeatherJob: Sendable {
    /// The result of the work.
    struct Result: Sendable {
        /// A new record; nil without one.
        var new: WeatherRecord?
        /// Why there is no new record, if a provider was queried.
        var failure: PartFailure?
        /// `true` if this node queried the providers.
        var isOwn = false
        /// The number of requests that this node sent.
        var requests = 0
    }

    /// The point and the time of a meeting.
    struct Ahead: Sendable {
        let point: Coordinate
        let meetingTime: Instant
    }

    /// The longest time for a fetch by one node; afterwards another one may try.
    static let claimSpan = TimeSpan.minutes(2)

    let provider: any WeatherProvider
    let key: WeatherKey
    /// The record at the decision to fetch; nil without one.
    let old: WeatherRecord?
    let purpose: WeatherBudget.Purpose
    /// The account whose share of the budget is used; nil for none.
    let payer: WeatherPayer?
    /// The meeting of a prefetch; nil for a fetch on request.
    var ahead: Ahead?

    /// Performs the fetch.
    func run(
        in surroundings: WeatherSurroundings,
        dailyRequests: Int,
        metrics: WeatherMetrics
    ) async throws(WeatherArchiveError) -> Result {
        let archive = surroundings.archive
        let now = surroundings.clock.now()
        var result = Result()
        guard try await archive.claim(key, from: now, until: now + Self.claimSpan) else {
            result.new = try await recordOfOthers(in: surroundings)
            return result
        }
        if let record = try await newRecord(in: archive) {
            result.new = record
            try await archive.release(key)
            return result
        }
        let day = WeatherBudget.day(of: now)
        let limit = WeatherBudget(daily: dailyRequests, spent: 0).limit(for: purpose)
        let sent = Guarded(0)
        let fetcher = MeteredFetcher(
            fetcher: surroundings.fetcher,
            archive: archive,
            day: day,
            limit: limit,
            sent: sent
        )
        let fetch = WeatherFetch(
            provider: provider,
            air: surroundings.air,
            cell: key.cell,
            grading: surroundings.grading,
            old: old,
            now: now,
            fetcher: fetcher,
            metrics: metrics
        )
        result.isOwn = true
        do {
            result.new = try await fetch.run()
        } catch {
            result.failure = error
        }
        result.requests = sent.withLock { $0 }
        if let new = result.new { try await archive.keep(new) }
        try await archive.release(key)
        return result
    }

    /// The record fetched by another node; nil if its claim ends without one.
    private func recordOfOthers(
        in surroundings: WeatherSurroundings
    ) async throws(WeatherArchiveError) -> WeatherRecord? {
        let end = surroundings.clock.now() + Self.claimSpan
        var record = try await newRecord(in: surroundings.archive)
        while record == nil, surroundings.clock.now() < end {
            do {
                try await surroundings.clock.pause(.seconds(1))
            } catch {
                return nil
            }
            record = try await newRecord(in: surroundings.archive)
        }
        return record
    }

    /// The record stored after the decision to fetch; nil without one.
    private func newRecord(in archive: any WeatherArchive) async throws(WeatherArchiveError) -> WeatherRecord? {
        let record = try await archive.record(of: key)
        return record?.fetchedAt == old?.fetchedAt ? nil : record
    }
}
