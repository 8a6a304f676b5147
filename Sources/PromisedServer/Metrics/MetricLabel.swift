/// One label of a sample.
struct MetricLabel: Sendable, Hashable {
    let name: String
    let value: String
}
