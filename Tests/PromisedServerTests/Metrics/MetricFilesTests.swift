import Foundation
import Testing

@testable import PromisedServer

/// The files for Prometheus and Grafana in `config/`, compared with the existing metrics.
@Suite struct MetricFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("config")

    /// All possible names of samples on the page, with their metrics.
    private static let samples: [String: MetricDescriptor] = {
        var samples: [String: MetricDescriptor] = [:]
        for metric in MetricCatalogue.all {
            let suffixes = metric.kind == .histogram ? ["_bucket", "_sum", "_count"] : [""]
            for suffix in suffixes { samples[metric.name + suffix] = metric }
        }
        return samples
    }()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names of our metrics in a text.
    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /promised_[a-z0-9_]+/).map { String($0.output) })
    }

    /// All queries in the texts.
    private static func expressions(in json: Any) -> [String] {
        if let object = json as? [String: Any] {
            return object.flatMap { key, value in
                key == "expr" ? [value as? String].compactMap { $0 } : expressions(in: value)
            }
        }
        return (json as? [Any])?.flatMap(expressions) ?? []
    }

    private static func dashboard() throws -> [String] {
        let data = Data(try text("grafana/promised.json").utf8)
        return expressions(in: try JSONSerialization.jsonObject(with: data))
    }

    @Test func `the alerts use existing metrics`() throws {
        let names = Self.names(in: try Self.text("prometheus/alerts.yaml"))
        #expect(names.count >= 8)
        #expect(names.filter { Self.samples[$0] == nil } == [])
    }

    @Test func `the dashboard shows exactly the existing metrics`() throws {
        let expressions = try Self.dashboard()
        let names = Self.names(in: expressions.joined(separator: "\n"))
        #expect(names.filter { Self.samples[$0] == nil } == [])
        let shown = Set(names.compactMap { Self.samples[$0]?.name })
        #expect(Set(MetricCatalogue.all.map(\.name)).subtracting(shown) == [])
    }

    @Test func `the rules use existing labels of each metric`() throws {
        let alerts = try Self.text("prometheus/alerts.yaml")
        let pattern = /(promised_[a-z0-9_]+)\{([^}]*)\}/
        for match in ([alerts] + (try Self.dashboard())).flatMap({ $0.matches(of: pattern) }) {
            let known = try #require(Self.samples[String(match.output.1)]).labels + ["instance", "job"]
            for label in match.output.2.matches(of: /([a-z_]+)=/) { #expect(known.contains(String(label.output.1))) }
        }
    }

    @Test(
        .enabled(if: Tool("promtool") != nil, "promtool is not installed (Debian: prometheus)"),
        arguments: [["check", "rules", "alerts.yaml"], ["check", "config", "scrape.yaml"]]
    )
    func `promtool accepts the files`(_ arguments: [String]) throws {
        let path = Self.folder.appendingPathComponent("prometheus/\(arguments[2])").path
        let outcome = try #require(Tool("promtool")).run(Array(arguments.dropLast()) + [path])
        #expect(outcome.code == 0, "\(outcome.text)")
    }
}
