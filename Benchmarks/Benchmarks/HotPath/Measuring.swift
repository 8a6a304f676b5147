import Benchmark
import CAllocations

extension BenchmarkMetric {
    /// How often memory was allocated for one operation.
    static let allocations = BenchmarkMetric.custom(
        "allocations per operation",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
}

/// Settings of all benchmarks here: times of a thousand operations each, and what they allocate.
var thousandfold: Benchmark.Configuration {
    Benchmark.Configuration(
        metrics: [.wallClock, .throughput, .allocations],
        scalingFactor: .kilo,
        maxDuration: .seconds(3),
        maxIterations: 10_000
    )
}

extension Benchmark {
    /// Runs an operation a thousand times, as ``thousandfold`` expects, and counts what it allocates.
    func repeated(_ operation: () throws -> Void) rethrows {
        let before = allocations_so_far()
        for _ in scaledIterations { try operation() }
        measurement(.allocations, Int(allocations_so_far() - before) / max(1, scaledIterations.count))
    }
}
