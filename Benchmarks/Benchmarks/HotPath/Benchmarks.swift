import Benchmark
import HotPathCases

let benchmarks: @Sendable () -> Void = {
    for hotPath in HotPathCase.all {
        Benchmark(hotPath.name, configuration: hotPath.isLong ? single : thousandfold) { benchmark in
            let operation = try hotPath.prepare()
            benchmark.startMeasurement()
            try benchmark.repeated(operation)
            benchmark.stopMeasurement()
        }
    }
    for writers in [1, 100] {
        Benchmark(
            "group commit, \(writers) at once",
            configuration: .init(metrics: [.wallClock], maxDuration: .seconds(3))
        ) { benchmark in
            let commits = try await GroupCommit()
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { try await commits.write(atOnce: writers) }
            benchmark.stopMeasurement()
            try await commits.close()
        }
    }
}
