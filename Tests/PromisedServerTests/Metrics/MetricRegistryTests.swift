import CoreMetrics
import Testing

@testable import PromisedServer

@Suite struct MetricRegistryTests {
    @Test func `shows counted metrics with help and type, in the order of the catalogue`() {
        let registry = MetricRegistry()
        FloatingPointCounter(label: "promised_process_cpu_seconds_total", factory: registry).increment(by: 0.25)
        Gauge(label: "promised_ready", factory: registry).record(1)
        Counter(label: "promised_malformed_frames_total", factory: registry).increment(by: 3)
        #expect(
            registry.page == """
                # HELP promised_ready 1 while the server is ready; 0 while storage fails or the server shuts down.
                # TYPE promised_ready gauge
                promised_ready 1
                # HELP promised_malformed_frames_total Frames that could not be decoded.
                # TYPE promised_malformed_frames_total counter
                promised_malformed_frames_total 3
                # HELP promised_process_cpu_seconds_total Processor time of the process, user and system.
                # TYPE promised_process_cpu_seconds_total counter
                promised_process_cpu_seconds_total 0.25

                """
        )
    }

    @Test func `a histogram counts each value in all matching buckets`() throws {
        let registry = MetricRegistry()
        let recorder = Recorder(label: "promised_collection_positions", factory: registry)
        for value in [1, 2, 100, 101] { recorder.record(value) }
        let page = try PrometheusReader(registry.page)
        #expect(page[#"promised_collection_positions_bucket{le="1"}"#] == 1)
        #expect(page[#"promised_collection_positions_bucket{le="2"}"#] == 2)
        #expect(page[#"promised_collection_positions_bucket{le="50"}"#] == 2)
        #expect(page[#"promised_collection_positions_bucket{le="100"}"#] == 3)
        #expect(page[#"promised_collection_positions_bucket{le="+Inf"}"#] == 4)
        #expect(page["promised_collection_positions_sum"] == 204)
        #expect(page["promised_collection_positions_count"] == 4)
    }

    @Test func `shows a timer in seconds`() throws {
        let registry = MetricRegistry()
        Timer(label: "promised_timer_delay_seconds", factory: registry).recordNanoseconds(1_500_000_000)
        #expect(try PrometheusReader(registry.page)["promised_timer_delay_seconds_sum"] == 1.5)
    }

    @Test func `equal labels share a value, different ones do not`() throws {
        let registry = MetricRegistry()
        for state in ["anonymous", "anonymous", "signed-in"] {
            Meter(label: "promised_connections", dimensions: [("state", state)], factory: registry).increment(by: 2)
        }
        let page = try PrometheusReader(registry.page)
        #expect(page[#"promised_connections{state="anonymous"}"#] == 4)
        #expect(page[#"promised_connections{state="signed-in"}"#] == 2)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"),
        ("\"\u{301}", "\\\"\u{301}"),
    ])
    func `escapes a label's value`(_ value: String, _ written: String) {
        var page = PrometheusPage()
        page.sample("promised_x", [MetricLabel(name: "l", value: value)], 1)
        #expect(page.text == "promised_x{l=\"\(written)\"} 1\n")
    }

    @Test(arguments: [
        (0.0, "0"), (-3.0, "-3"), (0.1, "0.1"), (1e-7, "1e-07"), (1e300, "1e+300"), (Double.infinity, "+Inf"),
        (-Double.infinity, "-Inf"), (Double.nan, "NaN"),
    ])
    func `writes a number by the format`(_ value: Double, _ text: String) {
        #expect(PrometheusPage.text(of: value) == text)
    }

    @Test func `rejects a metric outside the catalogue`() async {
        await #expect(processExitsWith: .failure) {
            Counter(label: "promised_inventions_total", factory: MetricRegistry()).increment()
        }
        await #expect(processExitsWith: .failure) {
            Counter(label: "promised_requests_total", dimensions: [("user", "ada")], factory: MetricRegistry())
                .increment()
        }
    }

    @Test func `names and labels follow Prometheus' conventions`() {
        let names = MetricCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count)
        for metric in MetricCatalogue.all {
            #expect(metric.name.hasPrefix("promised_"))
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
            #expect(metric.buckets.isEmpty == (metric.kind != .histogram), "\(metric.name)")
            #expect(metric.buckets == metric.buckets.sorted())
            #expect(metric.help.hasSuffix("."))
            #expect(!metric.labels.contains { ["user", "promise", "address", "connection", "le"].contains($0) })
        }
    }
}
