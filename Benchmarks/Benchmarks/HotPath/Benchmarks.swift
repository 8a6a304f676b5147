import Benchmark

let benchmarks: @Sendable () -> Void = {
    wireBenchmarks()
    sessionBenchmarks()
    storeBenchmarks()
}
