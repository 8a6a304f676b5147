internal import PromisedConcurrency
package import PromisedDomain
package import PromisedPlaces

/// Determines from opening hours when places are open. Parses each text once.
package final class PlaceOpenings: Sendable {
    /// Parsed hours with their time zone.
    private struct Entry: Sendable {
        let hours: OpeningHours
        let zone: ZoneOffsets
    }

    /// The most cached texts; a million real places have several thousand.
    private static let limit = 65_536

    private let zones: TimeZones
    private let defaultZone: String
    private let holidays: HolidayCalendar
    private let known = Guarded<[PlaceHours: Entry?]>([:])

    /// Openings by an operator's settings.
    ///
    /// - Parameter defaultZone: the IANA name for places without a time zone.
    package init(zones: TimeZones, defaultZone: String, holidays: HolidayCalendar) {
        self.zones = zones
        self.defaultZone = defaultZone
        self.holidays = holidays
    }

    /// The IANA name of the time zone of hours.
    private func zoneName(of hours: PlaceHours) -> String { hours.timeZone.isEmpty ? defaultZone : hours.timeZone }

    /// The state at an instant; unknown if there are no valid hours.
    package func state(of hours: PlaceHours, at instant: Instant) -> OpeningState {
        entry(hours).map { $0.hours.state(at: instant, in: $0.zone, holidays: holidays) } ?? .unknown
    }

    /// The state at an instant and its next change; nil if there are no valid hours.
    package func outlook(of hours: PlaceHours, at instant: Instant) -> OpeningOutlook? {
        entry(hours).map { $0.hours.outlook(at: instant, in: $0.zone, holidays: holidays) }
    }

    /// Seven days, starting with the day of an instant, in the place's time zone; nil if there are no valid hours.
    package func week(of hours: PlaceHours, from instant: Instant) -> OpeningWeek? {
        entry(hours).map { $0.hours.week(from: instant, in: $0.zone, holidays: holidays) }
    }

    /// The offset of local time from UTC at an instant, in seconds; 0 in an unknown zone.
    package func aheadOfUTC(in zone: String, at instant: Instant) -> Int {
        zones.offsets(of: zone)?.offsetSeconds(at: instant) ?? 0
    }

    /// Loads the sources' time zones before the first query.
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
