import Metrics
import PromisedPlaces

/// The counters of the weather service.
struct WeatherMetrics: Sendable {
    private let requests: [WeatherPart: [String: Counter]]
    private let answers: [WeatherState: Counter]
    private let hits: Counter
    private let misses: Counter
    private let budgetLeft: Gauge

    /// Words for the outcome of querying a provider.
    private static let outcomes = [
        "ok", "unchanged", "unknown-cell", "timeout", "too-large", "certificate", "budget", "unreachable", "status",
        "limited", "refused", "reported", "malformed",
    ]

    /// Counters at zero, one for each value of the labels.
    init(_ factory: any MetricsFactory) {
        requests = Dictionary(
            uniqueKeysWithValues: WeatherPart.allCases.map { part in
                let counters = Self.outcomes.map { outcome in
                    let labels = [("provider", part.name), ("outcome", outcome)]
                    return (
                        outcome, Counter(label: "promised_weather_requests_total", dimensions: labels, factory: factory)
                    )
                }
                return (part, Dictionary(uniqueKeysWithValues: counters))
            }
        )
        answers = Dictionary(
            uniqueKeysWithValues: WeatherState.allCases.map { state in
                let labels = [("state", state.rawValue)]
                return (state, Counter(label: "promised_weather_answers_total", dimensions: labels, factory: factory))
            }
        )
        let looks = "promised_weather_looks_total"
        hits = Counter(label: looks, dimensions: [("outcome", "hit")], factory: factory)
        misses = Counter(label: looks, dimensions: [("outcome", "miss")], factory: factory)
        budgetLeft = Gauge(label: "promised_weather_requests_left", factory: factory)
    }

    /// Counts a query of a provider for a part.
    func asked(for part: WeatherPart, outcome: String) { requests[part]?[outcome]?.increment() }

    /// Counts a look-up of a record: a hit if the record is answered without querying a provider.
    func looked(found: Bool) { (found ? hits : misses).increment() }

    /// Counts an answered request.
    func answered(_ state: WeatherState) { answers[state]?.increment() }

    /// Records the remaining requests of the day.
    func left(of budget: WeatherBudget) { budgetLeft.record(budget.left(for: .soon)) }
}
