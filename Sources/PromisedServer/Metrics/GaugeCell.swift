internal import CoreMetrics
internal import PromisedConcurrency

/// A value as it stands.
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
