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

/// For a long operation: its time and what it allocates.
var single: Benchmark.Configuration {
    Benchmark.Configuration(metrics: [.wallClock, .allocations], maxDuration: .seconds(3))
}

/// For short operations: times of a thousand each, and what they allocate.
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
