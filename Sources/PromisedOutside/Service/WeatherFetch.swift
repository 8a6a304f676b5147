internal import PromisedConcurrency
import PromisedDomain
import PromisedPlaces

/// One fetch of a record: the forecast, and the air's quality if requested. It succeeds or fails as a whole.
struct WeatherFetch: Sendable {
    let provider: any WeatherProvider
    let air: (any AirProvider)?
    let cell: WeatherCell
    /// The choice of the scale for grades of the air.
    let grading: AirGrading
    /// The previous record.
    let old: WeatherRecord?
    let now: Instant
    let fetcher: any HTTPFetching
    let metrics: WeatherMetrics

    /// Queries the providers.
    func run() async throws(PartFailure) -> WeatherRecord {
        let known = old.flatMap { $0.isEmpty ? nil : $0 }
        let forecast = try await ask(for: .forecast(provider.source)) { () throws(WeatherFailure) in
            try await provider.forecast(of: cell, since: known?.forecastModified, at: now, through: fetcher)
        }
        if case .unknownCell = forecast.content {
            // A known cell is not dropped for one odd answer.
            guard known == nil else { throw PartFailure(part: .forecast(provider.source), failure: .malformed) }
            return WeatherRecord(cell: cell, source: provider.source, fetchedAt: now, hours: [])
        }
        var quality: ProviderAnswer<AirHour>?
        if let air {
            quality = try await ask(for: .air) { () throws(WeatherFailure) in
                try await air.air(of: cell, since: known?.airModified, at: now, through: fetcher)
            }
        }
        return record(of: forecast, and: quality, known: known)
    }

    private func record(
        of forecast: ProviderAnswer<ForecastHour>,
        and quality: ProviderAnswer<AirHour>?,
        known: WeatherRecord?
    ) -> WeatherRecord {
        let hours: [ForecastHour] =
            if case .hours(let new) = forecast.content {
                WeatherRecord.joined(known?.hours ?? [], new)
            } else {
                known?.hours ?? []
            }
        let airHours: [AirHour] =
            switch quality?.content {
            case .hours(let new): new
            case .unchanged: known?.air ?? []
            case .unknownCell, nil: []
            }
        let scale = grading.scale(at: cell.centre)
        return WeatherRecord(
            cell: cell,
            source: provider.source,
            fetchedAt: now,
            // Both parts are one record: it is not requested again before both have expired.
            expiresAt: [forecast.freshFor, quality?.freshFor].compactMap(\.self).max().map { now + $0 },
            hours: hours,
            air: airHours.map { $0.graded(on: scale) },
            forecastModified: forecast.modified,
            airModified: quality?.modified
        )
    }

    private func ask<Hour>(
        for part: WeatherPart,
        _ body: () async throws(WeatherFailure) -> ProviderAnswer<Hour>
    ) async throws(PartFailure) -> ProviderAnswer<Hour> {
        do {
            let answer = try await body()
            metrics.asked(for: part, outcome: Self.word(answer.content))
            return answer
        } catch {
            metrics.asked(for: part, outcome: error.word)
            throw PartFailure(part: part, failure: error)
        }
    }

    private static func word<Hour>(_ content: ProviderAnswer<Hour>.Content) -> String {
        switch content {
        case .hours: "ok"
        case .unchanged: "unchanged"
        case .unknownCell: "unknown-cell"
        }
    }
}

/// The HTTP client of one fetch: counts each request against the day's budget before sending it.
struct MeteredFetcher: HTTPFetching {
    let fetcher: any HTTPFetching
    let archive: any WeatherArchive
    let day: Int64
    let limit: Int
    /// Counts the requests of the fetch.
    let sent: Guarded<Int>

    func fetch(_ request: OutsideRequest) async throws(OutsideError) -> OutsideReply {
        let isAllowed: Bool
        do {
            isAllowed = try await archive.spendRequest(on: day, limit: limit)
        } catch {
            // The archive failed, not the provider.
            throw .busy
        }
        guard isAllowed else { throw .budgetSpent }
        sent.withLock { $0 += 1 }
        return try await fetcher.fetch(request)
    }
}
