import Testing

/// The reader of the pages must itself reject invalid ones.
@Suite struct PrometheusReaderTests {
    @Test(arguments: [
        "# HELP promised_a_total A\n# TYPE promised_a_total counter\npromised_a_total 1",
        "# HELP promised_a A\n# TYPE promised_a counter\npromised_a 1\n",
        "# HELP a_total A\n# TYPE a_total counter\na_total 1\n",
        "# TYPE promised_a gauge\npromised_a 1\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\npromised_a one\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\npromised_b 1\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\npromised_a 1\npromised_a 2\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\npromised_a{x=\"a\"b\"} 1\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\npromised_a{} 1\n",
        "# HELP promised_a A\n# TYPE promised_a gauge\n\npromised_a 1\n",
        "# HELP promised_a_total A\n# TYPE promised_a_total counter\npromised_a_total -1\n",
        "# HELP promised_a A\n# TYPE promised_a histogram\npromised_a_bucket{le=\"1\"} 2\n"
            + "promised_a_bucket{le=\"+Inf\"} 1\npromised_a_sum 1\npromised_a_count 1\n",
        "# HELP promised_a A\n# TYPE promised_a histogram\npromised_a_bucket{le=\"1\"} 1\n"
            + "promised_a_sum 1\npromised_a_count 1\n",
    ])
    func `rejects a page that violates the format`(_ page: String) {
        #expect(throws: PrometheusReader.Problem.self) { try PrometheusReader(page) }
    }
}
