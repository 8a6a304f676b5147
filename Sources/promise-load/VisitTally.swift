import PromisedClient

/// What many visits found.
struct VisitTally: Sendable {
    private(set) var failures = 0
    private var handshakes: [Double] = []
    private var answers: [Double] = []

    /// Counts a visit; nil for one that found no server.
    mutating func count(_ finding: ServerKnock.Finding?) {
        guard let finding else {
            failures += 1
            return
        }
        handshakes.append(VisitTally.milliseconds(finding.handshake))
        answers.append(VisitTally.milliseconds(finding.answer))
    }

    /// A table for people.
    func text(elapsed: Duration) -> String {
        let seconds = VisitTally.milliseconds(elapsed) / 1_000
        let rate = seconds > 0 ? Double(handshakes.count) / seconds : 0
        return """
            visits answered  \(handshakes.count)
            visits failed    \(failures)
            per second       \(VisitTally.rounded(rate))
            handshake ms     \(VisitTally.line(handshakes))
            answer ms        \(VisitTally.line(answers))
            """
    }

    /// The value below which a share of the values lies; 0 of none. The nearest rank, so always a value that occurred.
    static func percentile(_ share: Double, of values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    private static func line(_ values: [Double]) -> String {
        let shares = [("p50", 0.5), ("p99", 0.99), ("max", 1)]
        return shares.map { "\($0.0) \(rounded(percentile($0.1, of: values)))" }.joined(separator: ", ")
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
    }
}
