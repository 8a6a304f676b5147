import ArgumentParser
import Foundation
import PromisedProtocol

/// The time zone of a meeting time.
struct ZoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time zone of a time without an offset, such as Asia/Seoul; default: this machine's.",
            valueName: "zone"
        ),
        transform: Self.zone
    )
    var zone: TimeZone?

    /// The instant of a meeting time. If it is relative to today, the server's clock determines the day.
    func timestamp(
        of time: MeetingTime,
        from administration: any Administration
    ) async throws(Failure) -> WireTimestamp {
        if case .instant(let timestamp) = time { return timestamp }
        let nowMs = try await administration.readClock().serverMs
        return try time.timestamp(nowMs: nowMs, zone: zone ?? .current)
    }

    private static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("\(name) is not a time zone. Use a name from the tz database, such as Asia/Seoul.")
        }
        return zone
    }
}

/// The clocks and calendar of a zone, as seen at one instant.
struct ZoneClock {
    let zone: TimeZone
    /// Milliseconds since 1970.
    let nowMs: Double

    /// The instant at which clocks show a time on a day. Throws `usage` for an invalid date, and for a time that is
    /// skipped or repeated by a clock change.
    func timestamp(on day: MeetingTime.Day, hour: Int, minute: Int) throws(Failure) -> WireTimestamp {
        switch day {
        case .after(let days): return try timestamp(civil(daysAhead: days), hour, minute)
        case .weekday(let weekday):
            let ahead = (weekday - calendar.component(.weekday, from: now) + 7) % 7
            let next = try timestamp(civil(daysAhead: ahead), hour, minute)
            guard ahead == 0, next.readingMs <= nowMs else { return next }
            return try timestamp(civil(daysAhead: 7), hour, minute)
        case .date(let year, let month, let day):
            let date = DateComponents(year: year, month: month, day: day)
            // The calendar converts the 31st of April to the 1st of May.
            guard let found = greenwich.date(from: date), greenwich.component(.day, from: found) == day,
                greenwich.component(.month, from: found) == month
            else { throw .usage("\(String(format: "%04d-%02d-%02d", year, month, day)) is not a date") }
            return try timestamp(date, hour, minute)
        }
    }

    private var now: Date { Date(timeIntervalSince1970: nowMs / 1_000) }
    private var calendar: Calendar { Self.calendar(in: zone) }

    /// A calendar in which every day has 24 hours.
    private var greenwich: Calendar { Self.calendar(in: .gmt) }

    private static func calendar(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    /// The date `days` days after today; by the calendar, because a day can have 23 or 25 hours.
    private func civil(daysAhead days: Int) -> DateComponents {
        let today = calendar.dateComponents([.year, .month, .day], from: now)
        return DateComponents(year: today.year, month: today.month, day: (today.day ?? 1) + days)
    }

    private func timestamp(_ date: DateComponents, _ hour: Int, _ minute: Int) throws(Failure) -> WireTimestamp {
        guard let asGreenwich = greenwich.date(from: date) else { throw .usage("this date does not exist") }
        let wall = asGreenwich.timeIntervalSince1970 + Double(hour * 3_600 + minute * 60)
        // Clocks change by a few hours at most, so the days before and after give both offsets.
        let offsets = Set([-86_400.0, 86_400].map { zone.secondsFromGMT(for: Date(timeIntervalSince1970: wall + $0)) })
        let instants = offsets.map { wall - Double($0) }.filter { instant in
            Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: instant))) == wall - instant
        }
        let shown = greenwich.dateComponents([.year, .month, .day], from: asGreenwich)
        let day = String(format: "%04d-%02d-%02d", shown.year ?? 0, shown.month ?? 0, shown.day ?? 0)
        let time = "\(day) \(String(format: "%02d:%02d", hour, minute))"
        guard let instant = instants.first else {
            throw .usage("\(time) does not exist in \(zone.identifier): clocks skip it")
        }
        guard instants.count == 1 else {
            throw .usage("\(time) occurs twice in \(zone.identifier): give the time with its offset from UTC")
        }
        return MeetingTime.timestamp(instant * 1_000)
    }
}
