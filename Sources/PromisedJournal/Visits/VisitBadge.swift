package import PromisedDomain
internal import PromisedPlaces

/// A goal that visits reach. The raw value is the stable identifier that clients name.
package enum VisitBadge: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first counted visit.
    case firstVisit = "first-visit"
    /// Ten counted visits.
    case visits10 = "visits-10"
    /// Thirty counted visits.
    case visits30 = "visits-30"
    /// A hundred counted visits.
    case visits100 = "visits-100"
    /// Ten places.
    case places10 = "places-10"
    /// Five categories.
    case categories5 = "categories-5"
    /// Five regions of the first level, of any country.
    case regions5 = "regions-5"
    /// All provinces of Korea.
    case regionsKR = "regions-kr"
    /// Five visits to periodic markets on their days.
    case marketDays5 = "market-days-5"
    /// Ten visits from arrivals with a companion.
    case together10 = "together-10"
    /// Ten visits from arrivals, early or on time.
    case onTime10 = "on-time-10"

    /// The required number.
    package var goal: Int {
        switch self {
        case .firstVisit: 1
        case .visits10, .places10, .together10, .onTime10: 10
        case .visits30: 30
        case .visits100: 100
        case .categories5, .regions5, .marketDays5: 5
        case .regionsKR: KoreanProvince.allCases.count
        }
    }
}

/// A user's progress towards a badge.
package struct BadgeProgress: Hashable, Sendable {
    package let badge: VisitBadge
    /// When it was earned; nil if it was not.
    package let earnedAt: Instant?
    /// The progress of the existing visits, at most the goal. It can be below the goal for an earned badge if visits
    /// were deleted since.
    package let progress: Int
}
