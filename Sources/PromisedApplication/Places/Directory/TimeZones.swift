internal import Foundation
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedPlaces

/// The offsets of time zones from the system's database, for the domain.
///
/// The first use of a zone takes several milliseconds, later ones a look-up.
package final class TimeZones: Sendable {
    /// The most cached zones; the database has about 600 names.
    private static let limit = 1_024

    private let years: ClosedRange<Int64>
    private let known = Guarded<[String: ZoneOffsets?]>([:])

    /// Zones with all changes between two years, inclusive. Later years have the last offset.
    package init(years: ClosedRange<Int64>) { self.years = years }

    /// Zones from 21 years before an instant, because a visit may be dated 20 years back, to ten years after it.
    package convenience init(around now: Instant) {
        let year = CivilDate(daysSince1970: now.milliseconds.dividedFloor(by: 86_400_000)).year
        self.init(years: year - 21...year + 10)
    }

    /// The offsets of a zone by its IANA name; nil if the system does not know it. Blocks at the first use of a name.
    package func offsets(of name: String) -> ZoneOffsets? {
        if let zone = known.withLock({ $0[name] }) { return zone }
        let zone = TimeZone(identifier: name).flatMap { ZoneOffsets($0, years: years) }
        known.withLock { known in
            if known.count >= TimeZones.limit { known = [:] }
            known[name] = .some(zone)
        }
        return zone
    }
}

extension ZoneOffsets {
    /// The offsets of a zone between two years, inclusive; nil for years outside the calendar.
    ///
    /// Compares consecutive days and bisects intervals in which the offset changes, because the system itself reports
    /// only daylight saving changes.
    fileprivate init?(_ zone: TimeZone, years: ClosedRange<Int64>) {
        guard let first = CivilDate(year: years.lowerBound, month: 1, day: 1).daysSince1970,
            let last = CivilDate(year: years.upperBound + 1, month: 1, day: 1).daysSince1970
        else { return nil }
        func offset(_ second: Int64) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
        }
        // Two extra days on both sides, because local years begin and end earlier or later than those of UTC.
        let initial = offset((first - 2) * 86_400)
        var (transitions, current): ([Transition], Int) = ([], initial)
        for day in first - 2...last + 2 {
            let next = offset((day + 1) * 86_400)
            guard next != current else { continue }
            var (before, after) = (day * 86_400, (day + 1) * 86_400)
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(middle) == current { before = middle } else { after = middle }
            }
            transitions.append(Transition(at: Instant(milliseconds: after * 1_000), offsetSeconds: next))
            current = next
        }
        self.init(offsetSeconds: initial, transitions: transitions)
    }
}
