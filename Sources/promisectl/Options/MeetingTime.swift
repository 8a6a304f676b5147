import ArgumentParser
import Foundation
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

/// A meeting time as typed by an operator: relative (`+2h`), by the clocks of a place (`tomorrow 19:00`), or an instant
/// (`2026-11-21T18:00:00Z`).
enum MeetingTime: Hashable, Sendable {
    case instant(WireTimestamp)
    /// Milliseconds from now.
    case ahead(Double)
    case clock(Day, hour: Int, minute: Int)

    /// A day in the calendar of a place.
    enum Day: Hashable, Sendable {
        /// Days after today.
        case after(Int)
        /// The next such weekday on which the time has not passed; Sunday is 1.
        case weekday(Int)
        case date(year: Int, month: Int, day: Int)
    }

    /// The valid forms, quoted for a shell.
    static let forms = """
        +2h or +1d12h (d, h, m, s), 'today 19:00', 'tomorrow 19:00', 'friday 19:00', '2026-11-21 19:00' or \
        2026-11-21T19:00:00Z
        """

    /// Parses the value of an option. Throws `ValidationError`, which states the valid forms.
    static func parse(_ text: String) throws -> MeetingTime {
        let words = text.lowercased().split(separator: " ").map(String.init)
        let time: MeetingTime? =
            switch words.count {
            case 1 where text.hasPrefix("+"): ahead(of: words[0].dropFirst())
            case 1: instant(text)
            case 2: clock(words[0], words[1])
            default: nil
            }
        guard let time else { throw ValidationError("\(text) is not a time. Use \(forms).") }
        return time
    }

    /// - Parameters:
    ///   - nowMs: milliseconds since 1970 on the server's clock.
    ///   - zone: the time zone of clocks and calendar.
    /// - Throws: `usage` for an invalid date, and for a time that is skipped or repeated by a clock change.
    func timestamp(nowMs: Double, zone: TimeZone) throws(Failure) -> WireTimestamp {
        switch self {
        case .instant(let timestamp): timestamp
        case .ahead(let milliseconds): Self.timestamp(nowMs + milliseconds)
        case .clock(let day, let hour, let minute):
            try ZoneClock(zone: zone, nowMs: nowMs).timestamp(on: day, hour: hour, minute: minute)
        }
    }

    /// Whole milliseconds since 1970.
    static func timestamp(_ milliseconds: Double) -> WireTimestamp {
        let whole = Int64(milliseconds.rounded())
        let seconds = whole >= 0 ? whole / 1_000 : (whole - 999) / 1_000
        return WireTimestamp(seconds: seconds, nanos: Int32(whole - seconds * 1_000) * 1_000_000)
    }

    // MARK: - Reading

    private static let units: [(name: Character, milliseconds: Double)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    private static func ahead(of text: Substring) -> MeetingTime? {
        guard !text.isEmpty else { return nil }
        var total = 0.0
        var rest = text
        var coarser = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let name = rest[digits.endIndex...].first
            guard let count = Int32(digits), let unit = coarser.firstIndex(where: { $0.name == name }) else {
                return nil
            }
            total += Double(count) * coarser[unit].milliseconds
            // Each unit at most once, largest first.
            coarser = coarser[(unit + 1)...]
            rest = rest[digits.endIndex...].dropFirst()
        }
        return .ahead(total)
    }

    private static func instant(_ text: String) -> MeetingTime? {
        // A quotation mark would end the JSON string, and is invalid in an instant.
        guard !text.contains(where: { "\"\\".contains($0) }) else { return nil }
        do {
            return .instant(try WireTimestamp(jsonString: "\"\(text)\""))
        } catch {
            // The caller reports the valid forms.
            return nil
        }
    }

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    private static func clock(_ day: String, _ time: String) -> MeetingTime? {
        guard let numbers = numbers(time, separator: ":", lengths: [2, 2]), numbers[0] < 24, numbers[1] < 60 else {
            return nil
        }
        let named: Day? =
            switch day {
            case "today": .after(0)
            case "tomorrow": .after(1)
            default: weekdays.firstIndex(of: day).map { .weekday($0 + 1) } ?? date(day)
            }
        return named.map { .clock($0, hour: numbers[0], minute: numbers[1]) }
    }

    private static func date(_ text: String) -> Day? {
        numbers(text, separator: "-", lengths: [4, 2, 2]).map { .date(year: $0[0], month: $0[1], day: $0[2]) }
    }

    private static func numbers(_ text: String, separator: Character, lengths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == lengths else { return nil }
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
        return numbers.count == lengths.count ? numbers : nil
    }
}
