/// The time zone that tells the date of a visit to a place.
///
/// It is the zone that the place's source names. Where there is none, it is the zone that the position suggests, if all
/// zones around it have the same date at that instant; else the user's own, if one of them has its date.
package struct VisitZone: Sendable {
    /// The zone of the source; nil if it names none, or one that the system does not know.
    private let known: ZoneOffsets?
    /// The zones around the place, the likeliest first; empty if the zone is known.
    private let around: [ZoneOffsets]

    /// The zone of a place.
    ///
    /// - Parameters:
    ///   - source: the IANA name that the source of the place gives; empty if there is none.
    ///   - zone: the offsets of a zone by its IANA name; nil for an unknown one.
    package init(of place: Coordinate, source: String = "", zone: (String) -> ZoneOffsets?) {
        known = source.isEmpty ? nil : zone(source)
        around = known == nil ? ZoneEstimate.zones(around: place).compactMap(zone) : []
    }

    /// The offsets by which a user's visit at an instant is dated.
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
