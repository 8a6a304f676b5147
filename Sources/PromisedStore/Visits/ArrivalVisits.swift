package import PromisedDomain
internal import PromisedJournal
package import PromisedPlaces

/// Creates the visits of results, with the data that the store does not have itself.
package struct ArrivalVisits: Sendable {
    private let zone: @Sendable (String) -> ZoneOffsets?
    private let holidays: HolidayCalendar
    private let weatherSources: [WeatherSource]
    private let random: RandomSource

    /// Visits by an operator's settings.
    ///
    /// - Parameters:
    ///   - zone: the offsets of a time zone by its IANA name, nil for an unknown one; runs on the writer's thread, so it
    ///     must be short.
    ///   - holidays: the days matched by `PH`.
    ///   - weatherSources: the providers whose records are read, in order.
    package init(
        zone: @escaping @Sendable (String) -> ZoneOffsets?,
        holidays: HolidayCalendar = .empty,
        weatherSources: [WeatherSource] = [],
        random: RandomSource = .system
    ) {
        self.zone = zone
        self.holidays = holidays
        self.weatherSources = weatherSources
        self.random = random
    }

    /// Visits with dates in UTC, without weather.
    package static let inUTC = ArrivalVisits(zone: { _ in .utc })

    /// Adds the visits of a result inserted in the same transaction: one for each credited arrival of a user who wants
    /// visits and has neither a visit nor a mark for the promise. Primary keys, index `visit_by_promise`.
    func insert(for result: PromiseResult, into db: SQLConnection) throws -> [Visit] {
        guard let place = try PromiseRecord.fetch(result.promiseID, from: db)?.place else { return [] }
        var excluded: Set<UserID> = []
        var own: [UserID: ZoneOffsets] = [:]
        for user in result.rows.lazy.filter({ $0.creditedAt != nil }).map(\.userID) {
            if let name = try zoneOfVisitor(user, of: result.promiseID, in: db) {
                own[user] = zone(name)
            } else {
                excluded.insert(user)
            }
        }
        let known = try directoryPlace(place.placeID, in: db)
        let visitZone = VisitZone(
            of: place.coordinate,
            source: known?.listing.hours.timeZone ?? "",
            zone: zone
        )
        var random = random
        let records = weatherRecords(at: place.coordinate, in: db)
        let visits = result.visits(
            excluding: excluded,
            moment: { user, instant in
                let zone = visitZone.offsets(at: instant, own: own[user])
                let site =
                    known.map { VisitSite($0, as: place, in: zone, holidays: holidays) } ?? VisitSite(place, in: zone)
                return site.moment(at: instant)
            },
            weather: { instant in
                records.lazy.compactMap { WeatherOutlook.Report($0, at: instant) }.first.map(VisitWeather.init)
            },
            now: result.finalAt,
            using: &random
        )
        for visit in visits { try VisitRecord.insert(visit, into: db) }
        return visits
    }

    private func directoryPlace(_ id: PlaceID?, in db: SQLConnection) throws -> DirectoryPlace? {
        guard let id else { return nil }
        return try PlaceRecord.fetch(id, sources: PlaceSourceRecord.all(from: db), from: db)
    }

    private func weatherRecords(at point: Coordinate, in db: SQLConnection) -> [WeatherRecord] {
        weatherSources.compactMap { source in
            guard let cell = source.cell(at: point) else { return nil }
            // Missing weather must not fail a result: an unreadable record counts as absent.
            return try? db.row(WeatherCellRecord.fetch, [source.rawValue, cell.text]).map(WeatherCellRecord.record)
        }
    }

    /// The time zone of a user who gets a visit; nil for a user who does not.
    private func zoneOfVisitor(_ user: UserID, of promise: PromiseID, in db: SQLConnection) throws -> String? {
        let rows = try db.rows(
            """
            SELECT time_zone FROM user WHERE id = :user AND visits_from_arrivals AND deleted_at IS NULL AND deleting_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM visit WHERE promise_id = :promise AND user_id = :user)
                AND NOT EXISTS (SELECT 1 FROM visit_mark WHERE promise_id = :promise AND user_id = :user)
            """,
            named: ["user": user, "promise": promise]
        )
        return try rows.first.map { try $0.value("time_zone") }
    }
}
