package import PromisedDomain
package import PromisedPlaces

/// The surroundings of the weather service.
package struct WeatherSurroundings: Sendable {
    /// Providers in the operator's order; empty if the weather is off.
    package var providers: [any WeatherProvider]
    /// The provider of the air's quality, if any.
    package var air: (any AirProvider)?
    /// The choice of scales for grades of the air.
    package var grading: AirGrading
    /// The records.
    package var archive: any WeatherArchive
    package var fetcher: any HTTPFetching
    /// Receives the end of each fetch.
    package var audience: any WeatherAudience
    package var clock: WeatherClock

    /// Surroundings with all their parts.
    package init(
        providers: [any WeatherProvider],
        air: (any AirProvider)?,
        grading: AirGrading = .local,
        archive: any WeatherArchive,
        fetcher: any HTTPFetching,
        audience: any WeatherAudience,
        clock: WeatherClock
    ) {
        self.providers = providers
        self.air = air
        self.grading = grading
        self.archive = archive
        self.fetcher = fetcher
        self.audience = audience
        self.clock = clock
    }

    /// The parts of which a record of a provider consists.
    func parts(of source: WeatherSource) -> [WeatherPart] { [.forecast(source)] + (air == nil ? [] : [.air]) }

    /// The providers whose area contains a point, in order, with the keys of their records.
    func candidates(at point: Coordinate) -> [(provider: any WeatherProvider, key: WeatherKey)] {
        providers.compactMap { provider in
            provider.source.cell(at: point).map { (provider, WeatherKey(source: provider.source, cell: $0)) }
        }
    }
}

/// Receives the end of each fetch. Implemented outside this module.
package protocol WeatherAudience: Sendable {
    /// A fetch has ended; must not block.
    func ended(_ update: WeatherUpdate)
}

/// The end of a fetch.
package struct WeatherUpdate: Sendable {
    /// The record's name.
    package let key: WeatherKey
    /// The previous record; nil if the cell had none.
    package let before: WeatherRecord?
    /// The current record: a new one, or the previous one if the fetch failed.
    package let after: WeatherRecord?

    /// `true` if the fetch returned a record.
    package var isFetched: Bool { after?.fetchedAt != before?.fetchedAt }
}

/// The clock of the weather service.
package struct WeatherClock: Sendable {
    /// The present instant.
    package let now: @Sendable () -> Instant
    /// Waits for a time; throws if the task is cancelled.
    package let pause: @Sendable (TimeSpan) async throws -> Void

    /// A clock.
    package init(
        now: @escaping @Sendable () -> Instant,
        pause: @escaping @Sendable (TimeSpan) async throws -> Void = { try await Task.sleep(for: $0.duration) }
    ) {
        self.now = now
        self.pause = pause
    }
}
