import PromisedDomain
import PromisedProtocol

/// Instants and spans as people read them in a terminal.
enum ClockText {
    /// The time of day in UTC: `13:40:15`.
    static func time(_ instant: Instant) -> String {
        let day: Int64 = 86_400_000
        let inDay = ((instant.milliseconds % day) + day) % day / 1_000
        return [inDay / 3_600, inDay / 60 % 60, inDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// The time of day of an instant from the wire.
    static func time(_ timestamp: WireTimestamp) -> String {
        time(Instant(milliseconds: Int64(timestamp.readingMs)))
    }

    /// How early or late in minutes and seconds: `-3:05`, `+0:12`.
    static func offset(seconds: Int) -> String {
        let length = abs(seconds)
        let rest = length % 60
        return "\(seconds < 0 ? "-" : "+")\(length / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
