import Benchmark
import Foundation
import PromisedStore

/// Durable writes, each caller waiting for the disk, alone and a hundred at once.
func storeBenchmarks() {
    for writers in [1, 100] {
        Benchmark(
            "group commit, \(writers) at once",
            configuration: .init(
                metrics: [.wallClock],
                maxDuration: .seconds(3)
            )
        ) { benchmark in
            let directory = NSTemporaryDirectory() + "promised-benchmark-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let store = try await Store.open(directory: directory)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<writers { group.addTask { try await store.checkWritable() } }
                    try await group.waitForAll()
                }
            }
            benchmark.stopMeasurement()
            try await store.close()
        }
    }
}
