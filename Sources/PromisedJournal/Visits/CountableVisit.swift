package import PromisedDomain
package import PromisedPlaces

/// The part of a visit that statistics need, so that a store need not read memos and photos for them.
package struct CountableVisit: Hashable, Sendable {
    package let spot: Spot
    /// The day on the calendar of the place, in days since 1970-01-01.
    package let day: Int32
    package let at: Instant
    /// The principal category; nil if the place is not from the directory.
    package let category: CategoryID?
    /// The region, if known.
    package let region: RegionCode?
    /// `true` if the place was a periodic market and that day one of its days.
    package let isMarketDay: Bool
    /// `true` if an arrival created it and it has a companion.
    package let isTogether: Bool
    /// `true` if an early or punctual arrival created it.
    package let isOnTime: Bool
    /// `true` if it came from an arrival by simulated positions: it counts for nothing.
    package let isMock: Bool

    /// A visit from an arrival, or with `outcome` nil, by hand.
    ///
    /// - Parameters:
    ///   - day: days since 1970-01-01; values beyond ±2³¹ are clamped.
    ///   - hasCompanions: ignored for a visit by hand.
    package init(
        spot: Spot,
        day: Int64,
        at: Instant,
        category: CategoryID?,
        region: RegionCode?,
        isMarketDay: Bool,
        outcome: Outcome?,
        hasCompanions: Bool,
        isMock: Bool = false
    ) {
        self.spot = spot
        self.day = Int32(clamping: day)
        self.at = at
        self.category = category
        self.region = region
        self.isMarketDay = isMarketDay
        isTogether = outcome != nil && hasCompanions
        isOnTime = outcome == .early || outcome == .onTime
        self.isMock = isMock
    }

    /// The countable part of a visit; nil if its date does not exist.
    package init?(_ visit: Visit) {
        let moment = visit.moment
        guard let day = moment.localDate.daysSince1970 else { return nil }
        self.init(
            spot: Spot(moment.place.placeID, at: moment.place.coordinate),
            day: day,
            at: moment.at,
            category: moment.category,
            region: moment.region,
            isMarketDay: moment.isMarketDay,
            outcome: visit.arrival?.outcome,
            hasCompanions: !visit.companions.isEmpty,
            isMock: visit.arrival?.isMock ?? false
        )
    }

    /// The place of visits for counting: the id of the directory, else the position to three decimals.
    package enum Spot: Hashable, Sendable {
        case place(PlaceID)
        case position(latitude: Double, longitude: Double)

        /// The spot of a place with an id, or without one, at a position.
        package init(_ place: PlaceID?, at coordinate: Coordinate) {
            func rounded(_ degrees: Double) -> Double { (degrees * 1_000).rounded() }
            self =
                place.map(Spot.place)
                ?? .position(latitude: rounded(coordinate.latitude), longitude: rounded(coordinate.longitude))
        }
    }
}
