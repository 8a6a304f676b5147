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

    /// How much is needed.
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

/// How far a user is with a badge.
package struct BadgeProgress: Hashable, Sendable {
    /// The badge.
    package let badge: VisitBadge
    /// When it was earned; nil if it was not.
    package let earnedAt: Instant?
    /// How much of the goal the visits that there are now reach, at most the goal. Less than the goal for a badge that was
    /// earned before some visits were deleted.
    package let progress: Int
}
