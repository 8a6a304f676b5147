import CoreMetrics
import PromisedConcurrency

/// Stores the values of counters and gauges.
final class CountingMetrics: MetricsFactory {
    private final class Cell: CounterHandler, RecorderHandler, TimerHandler {
        let note: @Sendable (Double) -> Void

        init(_ note: @escaping @Sendable (Double) -> Void) { self.note = note }

        func increment(by amount: Int64) { note(Double(amount)) }
        func reset() {}
        func record(_ value: Int64) { note(Double(value)) }
        func record(_ value: Double) { note(value) }
        func recordNanoseconds(_ duration: Int64) { note(Double(duration)) }
    }

    private struct Tally {
        var sum = 0.0
        var count = 0
        /// The name with its labels, `name label=value …`.
        var title: String
    }

    private let tallies = Guarded<[String: Tally]>([:])

    /// The sum of a metric with these values of labels, such as `name ok`.
    func sum(_ name: String) -> Double { tallies.withLock { $0[name]?.sum ?? 0 } }

    /// The number of values of a metric.
    func count(_ name: String) -> Int { tallies.withLock { $0[name]?.count ?? 0 } }

    /// The sums that are not zero, by name and labels: `name label=value …`.
    var counts: [String: Int64] {
        let sums = tallies.withLock { $0.values.map { ($0.title, Int64($0.sum)) } }
        return Dictionary(uniqueKeysWithValues: sums.filter { $0.1 != 0 })
    }

    private func cell(_ label: String, _ dimensions: [(String, String)]) -> Cell {
        let name = ([label] + dimensions.map(\.1)).joined(separator: " ")
        let title = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        return Cell { [tallies] amount in
            tallies.withLock { tallies in
                tallies[name, default: Tally(title: title)].sum += amount
                tallies[name]?.count += 1
            }
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { cell(label, dimensions) }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        cell(label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { cell(label, dimensions) }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
