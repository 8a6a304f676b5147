internal import CoreMetrics
internal import PromisedStore

/// Counts the transactions of the store.
struct StoreMetrics: Sendable {
    private let done: Counter
    private let failed: Counter
    private let writes: Recorder
    private let duration: Recorder

    /// Counters at zero.
    init(_ factory: any MetricsFactory) {
        func commits(_ outcome: String) -> Counter {
            Counter(label: "promised_store_commits_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        done = commits("done")
        failed = commits("failed")
        writes = Recorder(label: "promised_store_commit_writes", factory: factory)
        duration = Recorder(label: "promised_store_commit_duration_seconds", factory: factory)
    }

    /// Counts an ended transaction.
    func note(_ report: CommitReport) {
        (report.isDurable ? done : failed).increment()
        writes.record(report.writes)
        duration.record(report.duration / .seconds(1))
    }
}
