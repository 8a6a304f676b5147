/// The open deliveries: reports and the members who have not received them.
///
/// Every seat keeps its last few reports; each remembers, one bit per member of the promise, who has not received it
/// yet. A bit is cleared by the delivery, or excused when a connection is cut or a promise cancelled, because positions
/// are not durable (docs/reference.md#events). The bits left when a report makes room for a later one are missing
/// deliveries.
struct DeliveryLedger: Sendable {
    /// How many reports are stored per seat.
    static let depth = 16

    struct Counts: Hashable, Sendable, Codable {
        /// Expected deliveries: each report to each other subscribed member.
        var due = 0
        var delivered = 0
        var missing = 0
        /// Deliveries subtracted from `due` because a connection was cut or the promise cancelled.
        var excused = 0
    }

    private struct Entry: Sendable {
        var seq: UInt32 = 0
        var due = LoadTime(microseconds: 0)
        var waiting: UInt64 = 0
        var counts = false
    }

    private(set) var counts = Counts()
    /// How many deliveries are still open.
    private(set) var open = 0
    private var entries: [Entry]

    init(seats: Int) { entries = Array(repeating: Entry(), count: seats * Self.depth) }

    /// Records a due report.
    ///
    /// - Parameters:
    ///   - receivers: a bit for each other member who is subscribed.
    ///   - counts: `true` if the report is measured.
    mutating func report(seat: Int, seq: UInt32, due: LoadTime, to receivers: UInt64, counts isCounted: Bool) {
        let index = index(seat, seq)
        settle(index, asMissing: true)
        entries[index] = Entry(seq: seq, due: due, waiting: receivers, counts: isCounted)
        guard isCounted else { return }
        counts.due += receivers.nonzeroBitCount
        open += receivers.nonzeroBitCount
    }

    /// Records that a member received a report. Returns when the report was due, if this delivery is measured.
    mutating func delivered(seat: Int, seq: UInt32, to member: Int) -> LoadTime? {
        let index = index(seat, seq)
        let bit = UInt64(1) << UInt64(member)
        guard entries[index].seq == seq, entries[index].waiting & bit != 0 else { return nil }
        entries[index].waiting &= ~bit
        guard entries[index].counts else { return nil }
        counts.delivered += 1
        open -= 1
        return entries[index].due
    }

    /// Excuses all open deliveries of a seat's reports.
    mutating func excuse(reportsOf seat: Int) {
        for index in seat * Self.depth..<(seat + 1) * Self.depth { settle(index, asMissing: false) }
    }

    /// Excuses the open deliveries of another seat's reports to a member.
    mutating func excuse(member: Int, from seat: Int) {
        let bit = UInt64(1) << UInt64(member)
        for index in seat * Self.depth..<(seat + 1) * Self.depth where entries[index].waiting & bit != 0 {
            entries[index].waiting &= ~bit
            guard entries[index].counts else { continue }
            counts.due -= 1
            counts.excused += 1
            open -= 1
        }
    }

    /// Ends the run: open deliveries count as missing.
    mutating func close() {
        for index in entries.indices { settle(index, asMissing: true) }
    }

    private mutating func settle(_ index: Int, asMissing isMissing: Bool) {
        let left = entries[index].waiting.nonzeroBitCount
        entries[index].waiting = 0
        guard entries[index].counts, left > 0 else { return }
        open -= left
        if isMissing {
            counts.missing += left
        } else {
            counts.due -= left
            counts.excused += left
        }
    }

    private func index(_ seat: Int, _ seq: UInt32) -> Int { seat * Self.depth + Int(seq) % Self.depth }
}

/// An expected value in the report: `deliveryLatencyMs.p99<=350`.
struct Expectation: Hashable, Sendable, CustomStringConvertible {
    /// The comparison operators.
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

    /// An expectation from the command line, possibly with spaces; nil for an invalid one.
    init?(_ text: String) {
        // Longer operators come first, so that `<=` is not read as `<`.
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

    /// The failure as a sentence; nil if the expectation is met. An unknown number never meets one.
    func failure(in numbers: [String: Double?]) -> String? {
        guard let found = numbers[path] else { return "\(self) failed: the JSON document has no number \(path)" }
        guard let value = found else { return "\(self) failed: \(path) was not measured" }
        return isMet(by: value) ? nil : "\(self) failed: the value is \(value)"
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
