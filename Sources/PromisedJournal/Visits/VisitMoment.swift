package import PromisedDomain
package import PromisedPlaces

/// Place and time of a visit, copied: later changes of the directory and of the lists of holidays do not affect it.
package struct VisitMoment: Hashable, Sendable {
    package var place: Place
    /// The principal category; nil if the place is not from the directory.
    package var category: CategoryID?
    /// The region, if known.
    package var region: RegionCode?
    package var at: Instant
    /// The date on the calendar of the place.
    package var localDate: CivilDate
    /// `true` if the place was a periodic market and that day one of its days.
    package var isMarketDay: Bool

    /// A moment with all its fields; ``VisitSite`` creates it.
    package init(
        place: Place,
        category: CategoryID? = nil,
        region: RegionCode? = nil,
        at: Instant,
        localDate: CivilDate,
        isMarketDay: Bool = false
    ) {
        self.place = place
        self.category = category
        self.region = region
        self.at = at
        self.localDate = localDate
        self.isMarketDay = isMarketDay
    }
}
