internal import CoreMetrics
internal import PromisedConcurrency

/// The metrics of one server, and their page.
///
/// Each server has its own registry, so that several in a process do not count each other's events. Updates need no
/// look-up: callers keep their counters. Only metrics in ``MetricCatalogue`` can be created.
final class MetricRegistry: MetricsFactory {
    private typealias Cells = [[MetricLabel]: any MetricCell]

    private let cells = Guarded<[String: Cells]>([:])

    /// All current values, in the order of the catalogue, then of the labels. Omits metrics without a value.
    var page: String {
        let cells = cells.withLock { $0 }
        var page = PrometheusPage()
        for metric in MetricCatalogue.all {
            guard let values = cells[metric.name] else { continue }
            page.begin(metric)
            for (labels, cell) in values.sorted(by: { Self.precedes($0.key, $1.key) }) {
                cell.write(metric.name, labels, to: &page)
            }
        }
        return page.text
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions, [.counter]) { _ in CounterCell() }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        cell(label, dimensions, [.counter]) { _ in FractionCell() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions, [.gauge]) { _ in GaugeCell() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return cell(label, dimensions, [.gauge]) { _ in GaugeCell() } }
        return cell(label, dimensions, [.histogram]) { HistogramCell(buckets: $0.buckets) }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions, [.histogram]) { HistogramCell(buckets: $0.buckets) }
    }

    // Metrics live as long as their server.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    /// The cell of a metric with these labels, created if missing.
    private func cell<Cell: MetricCell>(
        _ name: String,
        _ dimensions: [(String, String)],
        _ kinds: [MetricDescriptor.Kind],
        make: (MetricDescriptor) -> Cell
    ) -> Cell {
        guard let metric = MetricCatalogue.byName[name], kinds.contains(metric.kind),
            dimensions.map(\.0) == metric.labels
        else { preconditionFailure("The metric \(name) is not in the catalogue with this use") }
        let labels = dimensions.map { MetricLabel(name: $0.0, value: $0.1) }
        let made = make(metric)
        return cells.withLock { cells in
            if let known = cells[name]?[labels] as? Cell { return known }
            cells[name, default: [:]][labels] = made
            return made
        }
    }

    private static func precedes(_ left: [MetricLabel], _ right: [MetricLabel]) -> Bool {
        left.lexicographicallyPrecedes(right) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}
