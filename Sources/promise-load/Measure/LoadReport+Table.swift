extension LoadReport {
    /// A table for people.
    func table() -> String {
        rows.map { name, value in name + String(repeating: " ", count: max(1, 34 - name.count)) + value }
            .joined(separator: "\n")
    }

    private var rows: [(String, String)] {
        [
            (
                "run",
                "\(connections) connections, \(members) per promise, \(phase), \(codec ?? peer), \(Self.text(seconds)) s"
            ),
            ("connected in", "\(Self.text(connectSeconds)) s (\(Self.text(connectsPerSecond)) per second)"),
            ("reports", "\(reports)"),
            ("delivered of due", "\(delivered) of \(due), \(missing) missing, \(excused) excused"),
            ("delivery latency ms", Self.text(deliveryLatencyMs)),
            ("arrivals", "\(arrivals)"),
            ("arrival latency ms", Self.text(arrivalLatencyMs)),
            ("sending lag ms", Self.text(sendingLagMs)),
            ("server CPU s per million deliveries", Self.text(serverCpuSecondsPerMillionDeliveries, digits: 2)),
            ("frames per delivery", Self.text(framesPerDelivery, digits: 3)),
            ("bytes per delivery", Self.text(bytesPerDelivery)),
            ("memory per connection, bytes", Self.text(memoryBytesPerConnection, digits: 0)),
            ("memory grown after 3 min, bytes", memoryGrowthBytes.map { "\($0)" } ?? "–"),
            ("cut, resumed, dropped", "\(cuts), \(resumed), \(drops)"),
            ("cancelled promises", "\(cancellations)"),
            ("errors", Self.text(errors, of: errorCodes)),
            ("violations", Self.text(violations, of: violationKinds)),
        ]
    }

    private static func text(_ value: Double?, digits: Int = 1) -> String {
        value.map { NumberText.rounded($0, digits: digits) } ?? "–"
    }

    private static func text(_ latency: LatencySummary?) -> String {
        guard let latency else { return "–" }
        let parts = [
            ("p50", latency.p50), ("p90", latency.p90), ("p99", latency.p99), ("p99.9", latency.p999),
            ("max", latency.max),
        ]
        return parts.map { "\($0.0) \(NumberText.rounded($0.1))" }.joined(separator: ", ")
    }

    private static func text(_ count: Int, of kinds: [String: Int]) -> String {
        guard !kinds.isEmpty else { return "\(count)" }
        let parts = kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(count) (\(parts.joined(separator: ", ")))"
    }
}

/// Numbers for people.
enum NumberText {
    /// `value` with `digits` digits after the point.
    static func rounded(_ value: Double, digits: Int = 1) -> String {
        // Without Foundation's formats, which take their signs from the environment.
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let whole = Int64((abs(value) * scale).rounded())
        let (head, tail) = whole.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(head)" }
        let fraction = "\(tail)"
        return "\(sign)\(head)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
