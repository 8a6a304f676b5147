package import CoreMetrics

/// Kinds of directory queries, as named in the metrics.
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

    /// Counters at zero, one for each label value.
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

    /// Counts an answered query; `duration` includes waiting.
    func answered(_ kind: PlaceQueryKind, in duration: Duration) {
        queries[kind]?.answered.increment()
        queries[kind]?.duration.record(duration / .seconds(1))
    }

    /// Counts a refused query: the queue was full, or the directory is not loaded yet.
    func refused(_ kind: PlaceQueryKind) { queries[kind]?.refused.increment() }

    /// Records a built index; `duration` is its building time.
    func built(places count: Int, bytes size: Int, in duration: Duration) {
        places.record(count)
        bytes.record(size)
        building.record(duration / .seconds(1))
    }

    /// Counts an index that could not be built.
    func failed() { failures.increment() }
}
