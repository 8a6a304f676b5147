internal import CoreMetrics
internal import Synchronization

/// A count: one atomic addition, no lock.
final class CounterCell: CounterHandler, MetricCell {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }

    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage) {
        page.sample(name, labels, Double(value.load(ordering: .relaxed)))
    }
}
