/// The value of one metric with one set of labels.
protocol MetricCell: AnyObject, Sendable {
    /// Writes the value's lines.
    func write(_ name: String, _ labels: [MetricLabel], to page: inout PrometheusPage)
}
