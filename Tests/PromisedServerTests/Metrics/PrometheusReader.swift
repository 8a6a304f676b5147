import Foundation

/// Reads a page of metrics strictly by the format: any reader accepts a page that this accepts.
struct PrometheusReader {
    /// One metric with all its lines.
    struct Metric: Equatable {
        var help = ""
        var type = ""
        /// Values by the sample's name and labels in the page's form.
        var samples: [String: Double] = [:]
    }

    /// The reason why a page is invalid.
    struct Problem: Error, CustomStringConvertible {
        let line: String
        let description: String
    }

    /// The metrics of the page by name.
    private(set) var metrics: [String: Metric] = [:]
    private var current = ""

    /// Reads a page.
    ///
    /// - Throws: ``Problem`` with the first line that breaks a rule.
    init(_ page: String) throws {
        guard page.hasSuffix("\n") else { throw Problem(line: "", description: "no line break at the end") }
        for line in page.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# HELP ") {
                try begin(line)
            } else if line.hasPrefix("# TYPE ") {
                try setType(line)
            } else {
                try addSample(line)
            }
        }
        for (name, metric) in metrics { try check(name, metric) }
    }

    /// The value of a sample, written as on the page: `promised_ready`, `promised_connections{state="anonymous"}`.
    subscript(sample: String) -> Double? {
        metrics.values.lazy.compactMap { $0.samples[sample] }.first
    }

    private mutating func begin(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, metrics[words[2]] == nil else {
            throw Problem(line: line, description: "a metric without help, or one that comes twice")
        }
        current = words[2]
        metrics[current] = Metric(help: words[3])
    }

    private mutating func setType(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 4, words[2] == current, metrics[current]?.type == "",
            ["counter", "gauge", "histogram"].contains(words[3])
        else { throw Problem(line: line, description: "a type that is none or stands elsewhere") }
        metrics[current]?.type = words[3]
    }

    private mutating func addSample(_ line: String) throws {
        let label = #"[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*""#
        let pattern = #"^([a-z][a-z0-9_]*)(\{"# + label + "(?:," + label + #")*\})? (\S+)$"#
        let form = try NSRegularExpression(pattern: pattern)
        let whole = NSRange(line.startIndex..., in: line)
        guard let match = form.firstMatch(in: line, range: whole), let name = Range(match.range(at: 1), in: line),
            let text = Range(match.range(at: 3), in: line), let value = Double(line[text])
        else { throw Problem(line: line, description: "no sample") }
        let suffixes = metrics[current]?.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { line[name] == current + $0 }) else {
            throw Problem(line: line, description: "a sample of another metric")
        }
        let key = String(line[..<line.index(before: text.lowerBound)])
        guard metrics[current]?.samples.updateValue(value, forKey: key) == nil else {
            throw Problem(line: line, description: "a sample that comes twice")
        }
    }

    private func check(_ name: String, _ metric: Metric) throws {
        func require(_ holds: Bool, _ what: String) throws {
            if !holds { throw Problem(line: name, description: what) }
        }
        try require(name.hasPrefix("promised_"), "a foreign name")
        try require(!metric.type.isEmpty && !metric.samples.isEmpty, "no type or no samples")
        try require((metric.type == "counter") == name.hasSuffix("_total"), "counters end in _total, nothing else does")
        if metric.type == "counter" { try require(metric.samples.values.allSatisfy { $0 >= 0 }, "a negative count") }
        if metric.type == "histogram" { try checkBuckets(name, metric) }
    }

    /// Each set of labels has a `+Inf` bucket, which equals its count, and buckets never decrease.
    private func checkBuckets(_ name: String, _ metric: Metric) throws {
        var buckets: [String: [(end: Double, count: Double)]] = [:]
        for (key, count) in metric.samples where key.hasPrefix(name + "_bucket{") {
            guard let bound = key.range(of: #",?le="([^"]*)"\}$"#, options: .regularExpression),
                let end = Double(key[bound].split(separator: "\"")[1])
            else { throw Problem(line: key, description: "a bucket without end") }
            let labels = String(key[..<bound.lowerBound].dropFirst(name.count + 8))
            buckets[labels, default: []].append((end, count))
        }
        for (labels, values) in buckets {
            let sorted = values.sorted { $0.end < $1.end }
            let suffix = labels.isEmpty ? "" : "{\(labels)}"
            guard sorted.map(\.count) == sorted.map(\.count).sorted(), let last = sorted.last, last.end == .infinity,
                metric.samples["\(name)_count\(suffix)"] == last.count, metric.samples["\(name)_sum\(suffix)"] != nil
            else { throw Problem(line: name + suffix, description: "buckets that do not add up") }
        }
        guard !buckets.isEmpty else { throw Problem(line: name, description: "a histogram without buckets") }
    }
}
