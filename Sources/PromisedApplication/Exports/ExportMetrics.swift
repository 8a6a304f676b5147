internal import CoreMetrics

/// The counters of exports of users' data.
struct ExportMetrics: Sendable {
    /// The outcomes of exports, including why some did not begin.
    enum Outcome: String, Sendable, CaseIterable {
        /// The archive is ready.
        case finished
        /// The export was abandoned: the disk is full, or making it failed or took too long.
        case failed
        /// The export did not begin: the disk lacks the required free space, or cannot be reached.
        case noSpace = "no-space"
    }

    private let exports: [Outcome: Counter]

    /// Counters at zero, one for each outcome.
    init(_ factory: any MetricsFactory) {
        exports = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map { outcome in
                let labels = [("outcome", outcome.rawValue)]
                return (outcome, Counter(label: "promised_exports_total", dimensions: labels, factory: factory))
            }
        )
    }

    /// Counts an export that ended or did not begin.
    func note(_ outcome: Outcome) { exports[outcome]?.increment() }
}
