import Foundation
import PromisedDomain
import PromisedProtocol

/// Moments and lengths of time as text for people.
enum MomentText {
    /// Date and time in UTC: `2026-11-21 09:00:00Z`.
    static func full(_ timestamp: WireTimestamp) -> String {
        let text = timestamp.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))Z"
    }

    /// Date and time in UTC if `isThere`, else an empty text.
    static func full(_ timestamp: WireTimestamp, if isThere: Bool) -> String { isThere ? full(timestamp) : "" }

    /// The time of day in UTC: `09:00:00`.
    static func time(_ timestamp: WireTimestamp) -> String { String(full(timestamp).dropFirst(11).prefix(8)) }

    /// A length in its two largest units: `3 d 4 h`, `5 min 12 s`, `0.4 s` below a second.
    static func span(milliseconds: Double) -> String {
        guard milliseconds >= 1_000 else { return "\(Int(max(0, milliseconds).rounded())) ms" }
        // Spans beyond the range of an integer do not occur, but the protocol allows them.
        let seconds = Int(min(milliseconds / 1_000, 1e15))
        let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        let parts = units[first...].prefix(2).enumerated().map { index, unit in
            (index == 0 ? seconds / unit.1 : seconds % units[first].1 / unit.1, unit.0)
        }
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// The offset in minutes and seconds: `-3:05`, `+0:12`.
    static func offset(seconds: Int) -> String {
        let length = seconds.magnitude
        let rest = length % 60
        return "\(seconds < 0 ? "-" : "+")\(length / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension WireTimestamp {
    /// Date and time in UTC with milliseconds: `2026-11-21T09:00:00.250Z`.
    var rfc3339: String { Instant(milliseconds: clampedMilliseconds).rfc3339WithMilliseconds }
}

/// Sizes, distances, rates and money as text for people.
enum MeasureText {
    static func number(_ value: Double, decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

    /// Bytes in the largest binary unit: `512 B`, `1.5 MiB`.
    static func bytes(_ count: Double) -> String {
        var rest = count
        var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
        while rest >= 1_024, units.count > 1 {
            rest /= 1_024
            units = units.dropFirst()
        }
        return "\(number(rest, decimals: units.first == "B" ? 0 : 1)) \(units.first ?? "")"
    }

    /// A distance: `85 m`, `1.2 km`.
    static func distance(metres: Double) -> String {
        metres < 1_000 ? "\(number(metres, decimals: 0)) m" : "\(number(metres / 1_000, decimals: 1)) km"
    }

    /// An amount in the protocol's minor units, because the number of decimals depends on the currency.
    static func money(_ amount: Int32, _ currency: String) -> String { "\(amount) \(currency) (minor units)" }

    /// A number with its noun: `1 user`, `2 users`.
    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
    }
}
