import PromisedDomain

/// The work of fetching one record: claim it, ask the providers, keep it.
struct WeatherJob: Sendable {
    /// The result of the work.
    struct Result: Sendable {
        /// The record before.
        var before: WeatherRecord?
        /// A new record; nil if there is none.
        var new: WeatherRecord?
        /// Why there is none, if a provider was asked.
        var failure: PartFailure?
        /// `true` if this node asked the providers.
        var isOwn = false
    }

    /// The point and the time of a meeting.
    struct Ahead: Sendable {
        let point: Coordinate
        let meetingTime: Instant
    }

    /// How long a node may take for a fetch; after this another one may try.
    static let claimSpan = TimeSpan.minutes(2)

    let provider: any WeatherProvider
    let key: WeatherKey
    let purpose: WeatherBudget.Purpose
    /// The meeting that the record is fetched ahead of; nil where somebody asked for it.
    var ahead: Ahead?

    /// Does the work.
    func run(
        in surroundings: WeatherSurroundings,
        dailyRequests: Int,
        metrics: WeatherMetrics
    ) async throws(WeatherArchiveError) -> Result {
        let archive = surroundings.archive
        let now = surroundings.clock.now()
        var result = Result(before: try await archive.record(of: key))
        guard try await archive.claim(key, from: now, until: now + Self.claimSpan) else {
            result.new = try await recordOfOthers(than: result.before, in: surroundings)
            return result
        }
        let day = WeatherBudget.day(of: now)
        let limit = WeatherBudget(daily: dailyRequests, spent: 0).limit(for: purpose)
        let fetch = WeatherFetch(
            provider: provider,
            air: surroundings.air,
            cell: key.cell,
            old: result.before,
            now: now,
            fetcher: MeteredFetcher(fetcher: surroundings.fetcher, archive: archive, day: day, limit: limit),
            metrics: metrics
        )
        result.isOwn = true
        do {
            result.new = try await fetch.run()
        } catch {
            result.failure = error
        }
        if let new = result.new { try await archive.keep(new) }
        try await archive.release(key)
        return result
    }

    /// The record that another node fetches; nil if its claim ends without one.
    private func recordOfOthers(
        than old: WeatherRecord?,
        in surroundings: WeatherSurroundings
    ) async throws(WeatherArchiveError) -> WeatherRecord? {
        let end = surroundings.clock.now() + Self.claimSpan
        while surroundings.clock.now() < end {
            do {
                try await surroundings.clock.pause(.seconds(1))
            } catch {
                return nil
            }
            let record = try await surroundings.archive.record(of: key)
            if let record, record.fetchedAt != old?.fetchedAt { return record }
        }
        return nil
    }
}
