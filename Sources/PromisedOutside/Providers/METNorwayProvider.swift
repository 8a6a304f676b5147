package import PromisedDomain
package import PromisedPlaces

/// The forecasts of the Norwegian Meteorological Institute (`locationforecast/2.0/compact` of api.met.no).
///
/// Its terms require a User-Agent with a contact, `If-Modified-Since` and respect for `Expires`.
package struct METNorwayProvider: WeatherProvider {
    /// The service's address.
    package static let defaultURL = "https://api.met.no/weatherapi"

    private let base: OutsideURL

    /// The service at an address.
    package init(at base: OutsideURL) {
        self.base = base
    }

    package var source: WeatherSource { .metNorway }

    /// No effect: the service needs no key.
    package func reload() {}

    /// Requests the forecast at the middle of a cell.
    package func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour> {
        let degrees = cell.degrees
        let request = OutsideRequest(
            base,
            path: "/locationforecast/2.0/compact",
            query: [("lat", degrees.latitude), ("lon", degrees.longitude)],
            modifiedSince: modified
        )
        do {
            let reply = try await fetcher.reply(to: request)
            return reply.isUnchanged
                ? reply.unchanged(since: modified) : try reply.answer(METNorwayReply.hours(reply.body))
        } catch .status(422) {
            // The place is outside the model.
            return ProviderAnswer(content: .unknownCell, modified: nil, freshFor: nil)
        }
    }
}
