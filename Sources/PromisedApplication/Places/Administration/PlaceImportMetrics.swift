package import CoreMetrics

package struct PlaceImportMetrics: Sendable {
    /// The outcomes of imports.
    enum Outcome: String, Sendable, CaseIterable {
        case finished, refused, cancelled, forgotten
    }

    private let imports: [Outcome: Counter]
    private let added: Counter
    private let changed: Counter
    private let unchanged: Counter
    private let removed: Counter
    private let refused: Counter

    /// Counters at zero, one for each value of the labels.
    package init(_ factory: any MetricsFactory) {
        func counter(_ name: String, _ outcome: String) -> Counter {
            Counter(label: name, dimensions: [("outcome", outcome)], factory: factory)
        }
        func rows(_ outcome: String) -> Counter { counter("promised_place_import_rows_total", outcome) }
        imports = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map { ($0, counter("promised_place_imports_total", $0.rawValue)) }
        )
        added = rows("added")
        changed = rows("changed")
        unchanged = rows("unchanged")
        removed = rows("removed")
        refused = rows("refused")
    }

    /// Counts the end of an import or dry run.
    func ended(_ outcome: Outcome) { imports[outcome]?.increment() }

    /// Counts the rows of a finished import that wrote.
    func count(_ report: PlaceImportReport) {
        added.increment(by: report.added)
        changed.increment(by: report.changed)
        unchanged.increment(by: report.unchanged)
        removed.increment(by: report.removed)
        refused.increment(by: report.refused)
    }
}
