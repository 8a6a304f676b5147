/// What a metric is, as a scrape tells it.
struct MetricDescriptor: Sendable, Hashable {
    /// The kinds there are, by Prometheus' names.
    enum Kind: String, Sendable {
        /// Only ever grows.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts values by size.
        case histogram
    }

    /// The name, with the unit as its suffix; a counter's ends in `_total`.
    let name: String
    /// What kind it is.
    let kind: Kind
    /// A sentence for operators, in one line.
    let help: String
    /// The names of its labels, in the order in which they are written.
    let labels: [String]
    /// The upper ends of a histogram's buckets, ascending, without infinity; empty for other kinds.
    let buckets: [Double]

    /// A metric that only grows.
    static func counter(_ name: String, _ help: String, labels: [String] = []) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .counter, help: help, labels: labels, buckets: [])
    }

    /// A metric that goes up and down.
    static func gauge(_ name: String, _ help: String, labels: [String] = []) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .gauge, help: help, labels: labels, buckets: [])
    }

    /// A metric that counts values by size.
    static func histogram(
        _ name: String,
        _ help: String,
        labels: [String] = [],
        buckets: [Double]
    ) -> MetricDescriptor {
        MetricDescriptor(name: name, kind: .histogram, help: help, labels: labels, buckets: buckets)
    }
}
