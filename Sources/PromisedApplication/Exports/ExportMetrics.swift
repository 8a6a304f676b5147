internal import CoreMetrics

/// The counters of exports of users' data.
struct ExportMetrics: Sendable {
    /// The ends of exports, and the reasons why some do not begin.
    enum Outcome: String, Sendable, CaseIterable {
        /// The archive can be read.
        case finished
        /// It was given up: the disk is full, or making it failed or took too long.
        case failed
        /// It did not begin: the disk has no more free space than is kept, or cannot be reached.
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

    /// An export ended, or did not begin.
    func note(_ outcome: Outcome) { exports[outcome]?.increment() }
}
