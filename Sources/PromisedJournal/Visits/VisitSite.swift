package import PromisedDomain
package import PromisedPlaces

/// A place with the data needed for the day of a visit.
package struct VisitSite: Hashable, Sendable {
    private static let periodicMarket = CategoryID(text: "market/periodic")
    /// The key of the fact with the days of a market that is also open daily, such as `2,7`.
    private static let marketDays = "market-days"

    private let place: Place
    private let category: CategoryID?
    private let region: RegionCode?
    private let zone: ZoneOffsets
    private let marketHours: OpeningHours?
    private let holidays: HolidayCalendar

    /// A place that a user described. The region follows from a Korean address.
    ///
    /// - Parameter zone: the time zone of the date (see ``VisitZone``).
    package init(_ place: Place, in zone: ZoneOffsets) {
        self.place = place
        category = nil
        region = KoreanAddress.region(of: place.address)
        self.zone = zone
        marketHours = nil
        holidays = .empty
    }

    /// A place of the directory.
    ///
    /// - Parameters:
    ///   - copy: the copy of the place in a promise, which is used unchanged; nil for the current place.
    ///   - zone: the time zone of the date (see ``VisitZone``).
    package init(
        _ directoryPlace: DirectoryPlace,
        as copy: Place? = nil,
        in zone: ZoneOffsets,
        holidays: HolidayCalendar = .empty
    ) {
        let listing = directoryPlace.listing
        place = copy ?? listing.place
        category = listing.categories.first
        region = listing.region
        self.zone = zone
        marketHours = listing.categories.contains(Self.periodicMarket) ? Self.marketHours(of: directoryPlace) : nil
        self.holidays = holidays
    }

    /// The moment of a visit at an instant.
    package func moment(at instant: Instant) -> VisitMoment {
        VisitMoment(
            place: place,
            category: category,
            region: region,
            at: instant,
            localDate: CivilDate(daysSince1970: zone.day(at: instant)),
            isMarketDay: isMarketDay(at: instant)
        )
    }

    private func isMarketDay(at instant: Instant) -> Bool {
        guard let today = marketHours?.week(from: instant, in: zone, holidays: holidays).days.first else {
            return false
        }
        return PlaceFilter.allows(today.state)
    }

    private static func marketHours(of place: DirectoryPlace) -> OpeningHours? {
        let days = place.facts.first { $0.key == marketDays }
        return OpeningHours(days.map { "day \($0.value)" } ?? place.listing.hours.text)
    }
}
