package import CoreMetrics

/// The kinds of queries of the directory, as the metrics name them.
package enum PlaceQueryKind: String, Sendable, CaseIterable {
    case categories, regions, view, nearby, search, list
}

/// The counters of the directory and its queries.
package struct PlaceMetrics: Sendable {
    private let queries: [PlaceQueryKind: (answered: Counter, refused: Counter, duration: Recorder)]
    private let places: Gauge
    private let bytes: Gauge
    private let building: Recorder
    private let failures: Counter

    /// Counters at zero, one for each value of the labels.
    package init(_ factory: any MetricsFactory) {
        func counter(_ name: String, _ labels: (String, String)...) -> Counter {
            Counter(label: name, dimensions: labels, factory: factory)
        }
        queries = Dictionary(
            uniqueKeysWithValues: PlaceQueryKind.allCases.map { kind in
                let query = ("query", kind.rawValue)
                let answered = counter("promised_place_queries_total", query, ("outcome", "ok"))
                let refused = counter("promised_place_queries_total", query, ("outcome", "unavailable"))
                let name = "promised_place_query_duration_seconds"
                return (kind, (answered, refused, Recorder(label: name, dimensions: [query], factory: factory)))
            }
        )
        places = Gauge(label: "promised_place_index_places", factory: factory)
        bytes = Gauge(label: "promised_place_index_bytes", factory: factory)
        building = Recorder(label: "promised_place_index_build_seconds", factory: factory)
        failures = counter("promised_place_index_failures_total")
    }

    /// A query was answered, `duration` after it was asked.
    func answered(_ kind: PlaceQueryKind, in duration: Duration) {
        queries[kind]?.answered.increment()
        queries[kind]?.duration.record(duration / .seconds(1))
    }

    /// A query was refused: the queue was full, or the directory does not stand yet.
    func refused(_ kind: PlaceQueryKind) { queries[kind]?.refused.increment() }

    /// An index stands, `duration` after its building began.
    func built(places count: Int, bytes size: Int, in duration: Duration) {
        places.record(count)
        bytes.record(size)
        building.record(duration / .seconds(1))
    }

    /// An index could not be built.
    func failed() { failures.increment() }
}
