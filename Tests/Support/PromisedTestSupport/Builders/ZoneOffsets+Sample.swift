internal import Foundation
package import PromisedDomain
package import PromisedPlaces

extension ZoneOffsets {
    /// The offsets of a zone of the system's database between two years, both included; nil for an unknown zone.
    ///
    /// Looks for changes day by day and halves the days that have one, so that it also finds changes other than those of
    /// daylight saving.
    package init?(identifier: String, years: ClosedRange<Int64>) {
        guard let zone = TimeZone(identifier: identifier),
            let firstDay = CivilDate(year: years.lowerBound, month: 1, day: 1).daysSince1970,
            let lastDay = CivilDate(year: years.upperBound + 1, month: 1, day: 1).daysSince1970
        else { return nil }
        func offset(_ second: Int64) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
        }
        var transitions: [Transition] = []
        // Two days more on both sides, because local years begin and end earlier or later than those of UTC.
        for day in firstDay - 2...lastDay + 2 {
            var (before, after) = (day * 86_400, (day + 1) * 86_400)
            guard offset(before) != offset(after) else { continue }
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(middle) == offset(before) { before = middle } else { after = middle }
            }
            transitions.append(
                Transition(at: Instant(milliseconds: after * 1_000), offsetSeconds: offset(after))
            )
        }
        self.init(offsetSeconds: offset((firstDay - 2) * 86_400), transitions: transitions)
    }

    package static let berlin = named("Europe/Berlin")
    package static let seoul = named("Asia/Seoul")
    package static let adelaide = named("Australia/Adelaide")
    package static let newYork = named("America/New_York")

    private static func named(_ identifier: String) -> ZoneOffsets {
        guard let zone = ZoneOffsets(identifier: identifier, years: 2017...2029) else {
            preconditionFailure("the system's time zone database lacks \(identifier)")
        }
        return zone
    }

    /// The instant at which a local clock shows a time such as `2026-03-02 09:30`.
    package func instant(_ local: String) -> Instant {
        guard let clock = Instant(rfc3339: local + ":00Z") else {
            preconditionFailure("\(local) is not a time: write it like 2026-03-02 09:30")
        }
        return instant(ofLocalMilliseconds: clock.milliseconds)
    }
}

extension CivilDate {
    /// A date such as `2026-03-02`.
    package static func date(_ text: String) -> CivilDate {
        guard let instant = Instant(rfc3339: text + "T00:00:00Z") else {
            preconditionFailure("\(text) is not a date: write it like 2026-03-02")
        }
        return CivilDate(daysSince1970: instant.milliseconds / 86_400_000)
    }
}
