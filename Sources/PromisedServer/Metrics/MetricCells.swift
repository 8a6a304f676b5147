internal import CoreMetrics
internal import PromisedConcurrency
internal import Synchronization

/// The description of a metric in a scrape.
struct MetricDescriptor: Sendable, Hashable {
    /// The kinds of metrics, by Prometheus' names.
    enum Kind: String, Sendable {
        /// Monotonically increasing.
        case counter
        /// Increases and decreases.
        case gauge
        /// Counts values by size.
        case histogram
    }

    /// The name, with the unit as its suffix; a counter's ends in `_total`.
    let name: String
    let kind: Kind
    /// A sentence for operators, in one line.
    let help: String
    /// The label names, in the order in which they are written.
    let labels: [String]
    /// The upper bounds of a histogram's buckets, ascending, without infinity; empty for other kinds.
    let buckets: [Double]

    static func counter(_ name: String, _ help: String, labels: [String] = []) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .counter, help: help, labels: labels, buckets: [])
    }

    /// A metric that goes up and down.
    static func gauge(_ name: String, _ help: String, labels: [String] = []) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .gauge, help: help, labels: labels, buckets: [])
    }

    /// A metric that counts values by size.
    static func histogram(
        _ name: String,
        _ help: String,
        labels: [String] = [],
        buckets: [Double]
    ) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .histogram, help: help, labels: labels, buckets: buckets)
    }
}

struct MetricLabel: Sendable, Hashable {
    let name: String
    let value: String
}

/// The value of one metric with one set of labels.
protocol MetricCell: AnyObject, Sendable {
    /// Writes the value's lines.
    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage)
}

/// A counter: one atomic addition, no lock.
final class CounterCell: CounterHandler, MetricCell {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        page.sample(name, labels, Double(value.load(ordering: .relaxed)))
    }
}

final class FractionCell: FloatingPointCounterHandler, MetricCell {
    private let value = Guarded(0.0)

    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func reset() { value.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        page.sample(name, labels, value.withLock { $0 })
    }
}

final class GaugeCell: RecorderHandler, MeterHandler, MetricCell {
    private let value = Guarded(0.0)

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        page.sample(name, labels, value.withLock { $0 })
    }
}

/// Values counted by size.
final class HistogramCell: RecorderHandler, TimerHandler, MetricCell {
    private struct Counts: Sendable {
        /// One count per bucket, and one for larger values.
        var buckets: [Int]
        var sum = 0.0
    }

    private let ends: [Double]
    private let counts: Guarded<Counts>

    /// - Parameter ends: the upper bounds of the buckets, ascending.
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
