package import PromisedDomain
package import PromisedPlaces

/// The time zone that decides the date of a visit to a place.
///
/// It is the zone of the place's source. Without one, it is the zone that the position suggests, if all zones around it
/// have the same date at that instant; else the user's own, if one of them has its date.
package struct VisitZone: Sendable {
    /// The zone of the source; nil if the source has none, or one unknown to the system.
    private let known: ZoneOffsets?
    /// The zones around the place, the likeliest first; empty if the zone is known.
    private let around: [ZoneOffsets]

    package init(of place: Coordinate, source: String = "", zone: (String) -> ZoneOffsets?) {
        known = source.isEmpty ? nil : zone(source)
        around = known == nil ? ZoneEstimate.zones(around: place).compactMap(zone) : []
    }

    /// The offsets for the date of a user's visit at an instant.
    ///
    /// - Parameter own: the zone that the user chose; nil for an unknown one.
    package func offsets(at instant: Instant, own: ZoneOffsets?) -> ZoneOffsets {
        if let known { return known }
        let dates = around.map { $0.day(at: instant) }
        guard let nearest = around.first else { return own ?? .utc }
        if dates.allSatisfy({ $0 == dates.first }) { return nearest }
        return own.flatMap { dates.contains($0.day(at: instant)) ? $0 : nil } ?? nearest
    }
}

extension ZoneOffsets {
    /// The local date at an instant, in days since 1970-01-01.
    package func day(at instant: Instant) -> Int64 { localMilliseconds(at: instant).dividedFloor(by: 86_400_000) }
}
