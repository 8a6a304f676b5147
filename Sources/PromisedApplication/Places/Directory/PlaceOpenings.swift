internal import PromisedConcurrency
package import PromisedDomain

/// Tells from opening hours when places are open. Each text is read once.
package final class PlaceOpenings: Sendable {
    /// Hours that were read, with the time zone they are in.
    private struct Entry: Sendable {
        let hours: OpeningHours
        let zone: ZoneOffsets
    }

    /// At most this many texts are kept; of real places, a million have some thousands.
    private static let limit = 65_536

    private let zones: TimeZones
    private let defaultZone: String
    private let holidays: HolidayCalendar
    private let known = Guarded<[PlaceHours: Entry?]>([:])

    /// The openings under an operator's settings.
    ///
    /// - Parameter defaultZone: the IANA name for places without a time zone.
    package init(zones: TimeZones, defaultZone: String, holidays: HolidayCalendar) {
        self.zones = zones
        self.defaultZone = defaultZone
        self.holidays = holidays
    }

    /// The IANA name of the time zone that hours are in.
    private func zoneName(of hours: PlaceHours) -> String { hours.timeZone.isEmpty ? defaultZone : hours.timeZone }

    /// The state at an instant; unknown without hours that can be read.
    package func state(of hours: PlaceHours, at instant: Instant) -> OpeningState {
        entry(hours).map { $0.hours.state(at: instant, in: $0.zone, holidays: holidays) } ?? .unknown
    }

    /// The state at an instant and its next change; nil without hours that can be read.
    package func outlook(of hours: PlaceHours, at instant: Instant) -> OpeningOutlook? {
        entry(hours).map { $0.hours.outlook(at: instant, in: $0.zone, holidays: holidays) }
    }

    /// Seven days from the one of an instant on, in the place's time zone; nil without hours that can be read.
    package func week(of hours: PlaceHours, from instant: Instant) -> OpeningWeek? {
        entry(hours).map { $0.hours.week(from: instant, in: $0.zone, holidays: holidays) }
    }

    /// How far local time at an instant is ahead of UTC, in seconds; 0 in a zone that the system does not know.
    package func aheadOfUTC(in zone: String, at instant: Instant) -> Int {
        zones.offsets(of: zone)?.offsetSeconds(at: instant) ?? 0
    }

    /// Reads the zones of sources ahead of the first query.
    func prepare(_ sources: some Sequence<PlaceSource>) {
        for zone in Set(sources.map { zoneName(of: PlaceHours(timeZone: $0.timeZone)) }) { _ = zones.offsets(of: zone) }
    }

    private func entry(_ hours: PlaceHours) -> Entry? {
        guard !hours.text.isEmpty else { return nil }
        if let entry = known.withLock({ $0[hours] }) { return entry }
        let entry = OpeningHours(hours.text).flatMap { read in
            zones.offsets(of: zoneName(of: hours)).map { Entry(hours: read, zone: $0) }
        }
        known.withLock { known in
            if known.count >= PlaceOpenings.limit { known = [:] }
            known[hours] = .some(entry)
        }
        return entry
    }
}
