/// What a number of the report must be: `deliveryLatencyMs.p99<=350`.
struct Expectation: Hashable, Sendable, CustomStringConvertible {
    /// How the number is compared.
    enum Comparison: String, Hashable, Sendable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case below = "<"
        case above = ">"
    }

    /// The number's path in the JSON document.
    var path: String
    var comparison: Comparison
    var bound: Double

    /// An expectation as it stands on the command line, spaces allowed; nil for anything else.
    init?(_ text: String) {
        // Those of two characters stand first, so that `<=` is not taken for `<`.
        for comparison in Comparison.allCases {
            guard let range = Self.range(of: comparison.rawValue, in: text) else { continue }
            path = Self.trimmed(text[..<range.lowerBound])
            self.comparison = comparison
            let isPath = path.utf8.allSatisfy { $0 != UInt8(ascii: " ") }
            guard !path.isEmpty, isPath, let bound = Double(Self.trimmed(text[range.upperBound...])), bound.isFinite
            else { return nil }
            self.bound = bound
            return
        }
        return nil
    }

    /// As on the command line.
    var description: String { "\(path)\(comparison.rawValue)\(bound)" }

    /// What is wrong, as a sentence; nil when the expectation is met. A number that is not known meets none.
    func failure(in numbers: [String: Double?]) -> String? {
        guard let found = numbers[path] else { return "\(self) failed: the report has no number \(path)" }
        guard let value = found else { return "\(self) failed: \(path) is not known" }
        return isMet(by: value) ? nil : "\(self) failed: it is \(value)"
    }

    private func isMet(by value: Double) -> Bool {
        switch comparison {
        case .atMost: value <= bound
        case .atLeast: value >= bound
        case .equal: value == bound
        case .below: value < bound
        case .above: value > bound
        }
    }

    private static func range(of part: String, in text: String) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(part) { return start..<text.index(start, offsetBy: part.count) }
            start = text.index(after: start)
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let head = text.drop { $0 == " " }
        return String(head.reversed().drop { $0 == " " }.reversed())
    }
}
