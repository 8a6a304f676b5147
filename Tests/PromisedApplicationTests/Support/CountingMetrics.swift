import CoreMetrics
import PromisedConcurrency

/// Counters by name and labels, and nothing else.
final class CountingMetrics: MetricsFactory, Sendable {
    private final class Cell: CounterHandler, Sendable {
        let count = Guarded<Int64>(0)
        func increment(by amount: Int64) { count.withLock { $0 += amount } }
        func reset() { count.withLock { $0 = 0 } }
    }

    private let cells = Guarded<[String: Cell]>([:])

    /// The counters that are not zero: `name label value …`.
    var counts: [String: Int64] {
        cells.withLock { $0.mapValues { $0.count.withLock { $0 } }.filter { $0.value != 0 } }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        return cells.withLock { cells in
            if let cell = cells[name] { return cell }
            let cell = Cell()
            cells[name] = cell
            return cell
        }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
