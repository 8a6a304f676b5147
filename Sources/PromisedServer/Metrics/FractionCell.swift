internal import CoreMetrics
internal import PromisedConcurrency

/// A count of something that comes in fractions.
final class FractionCell: FloatingPointCounterHandler, MetricCell {
    private let value = Guarded(0.0)

    func increment(by amount: Double) { value.withLock { $0 += amount } }

    func reset() { value.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        page.sample(name, labels, value.withLock { $0 })
    }
}
