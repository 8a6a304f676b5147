package import PromisedDomain
package import PromisedPlaces

/// The Korea Meteorological Administration's short-term forecasts (`getVilageFcst` of the portal data.go.kr).
package struct KMAProvider: WeatherProvider {
    /// The service's address.
    package static let defaultURL = "https://apis.data.go.kr/1360000/VilageFcstInfoService_2.0"
    static let pageRows = 1_000
    /// A forecast has about a thousand rows; more pages than this are refused.
    static let mostPages = 5

    private let base: OutsideURL
    private let key: ProviderKey

    /// The service at an address, with the operator's key.
    package init(at base: OutsideURL, key: ProviderKey) {
        self.base = base
        self.key = key
    }

    package var source: WeatherSource { .kma }

    /// Clears the key, so that it is read again.
    package func reload() { key.forget() }

    /// Requests the newest published forecast of a cell of the grid, page by page. Without data it requests the
    /// previous forecast: the service publishes some forecasts late.
    package func forecast(
        of cell: WeatherCell,
        since modified: String?,
        at now: Instant,
        through fetcher: any HTTPFetching
    ) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour> {
        guard case .kma(let x, let y) = cell else { preconditionFailure("KMA is asked for cells of its own grid") }
        let key = try serviceKey()
        let last = KMATimetable.lastBase(at: now)
        for base in [last, KMATimetable.lastBase(at: last - .minutes(1))] {
            let pages = Pages(provider: self, x: x, y: y, key: key, base: base)
            if let answer = try await pages.answer(through: fetcher) { return answer }
        }
        return ProviderAnswer(content: .unknownCell, modified: nil, freshFor: nil)
    }

    /// The pages of one forecast.
    private struct Pages {
        let provider: KMAProvider
        let x: Int
        let y: Int
        let key: String
        let base: Instant

        /// Reads all pages; nil if the service has no data.
        func answer(through fetcher: any HTTPFetching) async throws(WeatherFailure) -> ProviderAnswer<ForecastHour>? {
            var rows: [KMAReply.Row] = []
            for page in 1...KMAProvider.mostPages {
                let reply = try await fetcher.reply(to: request(page))
                guard let content = try KMAReply.page(reply.body) else { return nil }
                rows += content.rows
                let isLast = content.rows.isEmpty || page * KMAProvider.pageRows >= content.total
                if isLast { return try reply.answer(KMAReply.hours(rows)) }
            }
            throw .malformed
        }

        private func request(_ page: Int) -> OutsideRequest {
            // The date and the hour in Korea's time.
            let text = (base + KMATimetable.offset).rfc3339
            return OutsideRequest(
                provider.base,
                path: "/getVilageFcst",
                query: [
                    ("serviceKey", key), ("pageNo", "\(page)"), ("numOfRows", "\(KMAProvider.pageRows)"),
                    ("dataType", "JSON"), ("base_date", text.prefix(10).filter { $0 != "-" }),
                    ("base_time", "\(text.dropFirst(11).prefix(2))00"), ("nx", "\(x)"), ("ny", "\(y)"),
                ]
            )
        }
    }

    private func serviceKey() throws(WeatherFailure) -> String {
        do {
            return try key.value()
        } catch {
            throw .key(error)
        }
    }
}
