internal import CoreMetrics
internal import PromisedConcurrency

/// Values counted by size.
final class HistogramCell: RecorderHandler, TimerHandler, MetricCell {
    private struct Counts: Sendable {
        /// One for each bucket and one for what is beyond the last.
        var buckets: [Int]
        var sum = 0.0
    }

    private let ends: [Double]
    private let counts: Guarded<Counts>

    /// A histogram whose buckets end there, ascending.
    init(buckets ends: [Double]) {
        self.ends = ends
        counts = Guarded(Counts(buckets: Array(repeating: 0, count: ends.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = ends.firstIndex { value <= $0 } ?? ends.count
        counts.withLock { counts in
            counts.buckets[bucket] += 1
            counts.sum += value
        }
    }

    /// A duration, in seconds.
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        let counts = counts.withLock { $0 }
        var total = 0
        for (end, count) in zip(ends + [.infinity], counts.buckets) {
            total += count
            let bound = MetricLabel(name: "le", value: PrometheusPage.text(of: end))
            page.sample(name + "_bucket", labels + [bound], Double(total))
        }
        page.sample(name + "_sum", labels, counts.sum)
        page.sample(name + "_count", labels, Double(total))
    }
}
