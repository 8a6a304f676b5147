internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

/// Recomputes the dates of stored visits: until 0034, visits to places without a time zone used the server's.
struct VisitDates {
    private static let page = 1_000

    private var zones: [String: TimeZone?] = [:]

    /// Recomputes the date of all visits to places whose source names no time zone, as ``VisitZone`` says, and whether
    /// the new date is a market day; without public holidays, which the store does not know.
    static func correct(in db: SQLConnection) throws {
        var dates = VisitDates()
        var last: Int64 = -1
        while true {
            let rows = try db.rows(
                """
                SELECT visit.rowid AS number, at, local_date, place_id, place_name, visit.latitude, visit.longitude,
                    place.categories, hours, facts, user.time_zone AS own_zone
                FROM visit JOIN user ON user.id = user_id LEFT JOIN place ON place.id = place_id
                    LEFT JOIN place_source ON place_source.id = source_id
                WHERE visit.rowid > ? AND coalesce(place_source.time_zone, '') = '' ORDER BY visit.rowid LIMIT ?
                """,
                [last, page]
            )
            for row in rows {
                last = try row.value("number")
                let moment = try dates.moment(row)
                guard let day = moment.localDate.daysSince1970, day != (try row.value("local_date")) else { continue }
                try db.run(
                    "UPDATE visit SET local_date = ?, is_market_day = ? WHERE rowid = ?",
                    [day, moment.isMarketDay, last]
                )
            }
            if rows.count < page { return }
        }
    }

    private mutating func moment(_ row: SQLRow) throws -> VisitMoment {
        let at: Instant = try row.value("at")
        let place = Place(
            name: try row.value("place_name"),
            coordinate: Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude")),
            placeID: try row.value("place_id")
        )
        let visitZone = VisitZone(of: place.coordinate) { offsets(of: $0, at: at) }
        let zone = visitZone.offsets(at: at, own: offsets(of: try row.value("own_zone"), at: at))
        guard let id = place.placeID, let categories: String = try row.value("categories") else {
            return VisitSite(place, in: zone).moment(at: at)
        }
        let facts = StoredPairs.pairs(try row.value("facts"))
        let known = ImportedPlace(
            ref: "",
            name: place.name,
            coordinate: place.coordinate,
            categories: StoredCategories.ids(categories),
            hours: try row.value("hours"),
            facts: facts.map { DirectoryPlace.Fact(key: $0.key, value: $0.value) }
        )
        let source = PlaceSource(name: "", timeZone: "")
        return VisitSite(DirectoryPlace(known, id: id, of: source, revision: 0, updatedAt: at), as: place, in: zone)
            .moment(at: at)
    }

    /// The offset of a zone at an instant; nil for an unknown zone.
    private mutating func offsets(of name: String, at instant: Instant) -> ZoneOffsets? {
        let zone = zones[name] ?? TimeZone(identifier: name)
        zones[name] = .some(zone)
        let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
        return zone.map { ZoneOffsets(offsetSeconds: $0.secondsFromGMT(for: date)) }
    }
}
