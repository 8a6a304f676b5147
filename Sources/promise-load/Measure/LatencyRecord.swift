import Histogram

/// Latencies in a high dynamic range histogram, exact to three digits, from a microsecond up.
struct LatencyRecord: Sendable, Codable {
    private var histogram: Histogram<UInt32>

    /// Of nothing yet.
    init() {
        histogram = Histogram(lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000)
        histogram.autoResize = true
    }

    /// How many.
    var count: Int { Int(histogram.totalCount) }

    /// Counts one; a negative one counts as none at all.
    mutating func record(_ latency: Duration) { _ = histogram.record(UInt64(max(0, latency.wholeMicroseconds))) }

    /// Adds what another process recorded.
    mutating func merge(_ other: LatencyRecord) { histogram.add(other.histogram) }

    /// The percentiles in milliseconds; nil of nothing.
    var summary: LatencySummary? {
        guard count > 0 else { return nil }
        return LatencySummary(
            p50: milliseconds(50),
            p90: milliseconds(90),
            p99: milliseconds(99),
            p999: milliseconds(99.9),
            max: Double(histogram.maxRecorded) / 1_000
        )
    }

    private func milliseconds(_ percentile: Double) -> Double {
        Double(min(histogram.valueAtPercentile(percentile), histogram.maxRecorded)) / 1_000
    }
}

/// Percentiles of latencies, in milliseconds.
struct LatencySummary: Hashable, Sendable, Codable {
    var p50: Double
    var p90: Double
    var p99: Double
    var p999: Double
    var max: Double
}
