import Foundation
import PromisedProtocol

/// Moments and lengths of time as people read them.
enum MomentText {
    private static let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)

    /// Date and time in UTC: `2026-11-21 09:00:00Z`.
    static func full(_ timestamp: WireTimestamp) -> String {
        date(timestamp).formatted(style)
    }

    /// Date and time in UTC, or nothing when there is none.
    static func full(_ timestamp: WireTimestamp, if isThere: Bool) -> String { isThere ? full(timestamp) : "" }

    /// The time of day in UTC: `09:00:00`.
    static func time(_ timestamp: WireTimestamp) -> String {
        String(full(timestamp).dropFirst(11).prefix(8))
    }

    /// A length in its two largest units: `3 d 4 h`, `5 min 12 s`, `0.4 s` below a second.
    static func span(milliseconds: Double) -> String {
        guard milliseconds >= 1_000 else { return "\(Int(max(0, milliseconds).rounded())) ms" }
        // Spans beyond what an integer holds do not occur, but nobody promises that of the wire.
        let seconds = Int(min(milliseconds / 1_000, 1e15))
        let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        let parts = units[first...].prefix(2).enumerated().map { index, unit in
            (index == 0 ? seconds / unit.1 : seconds % units[first].1 / unit.1, unit.0)
        }
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// How early or late, in minutes and seconds: `-3:05`, `+0:12`.
    static func offset(seconds: Int) -> String {
        let length = seconds.magnitude
        let rest = length % 60
        return "\(seconds < 0 ? "-" : "+")\(length / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func date(_ timestamp: WireTimestamp) -> Date {
        Date(timeIntervalSince1970: (timestamp.readingMs / 1_000).rounded(.down))
    }
}
