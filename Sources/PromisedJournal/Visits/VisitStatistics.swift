package import PromisedDomain
package import PromisedPlaces

/// The level, badges and numbers of a user's visits.
///
/// Always derived from the existing visits, never stored as counters. Only the dates of badges are stored: they are
/// marks that remain while at least one counted visit exists.
package struct VisitStatistics: Hashable, Sendable {
    /// The counted visits of a category.
    package struct CategoryCount: Hashable, Sendable {
        package let category: CategoryID
        /// The number of counted visits.
        package let counted: Int
        package var level: Int { VisitStatistics.level(of: counted) }
    }

    /// The counted visits in a region of the first level.
    package struct RegionCount: Hashable, Sendable {
        package let region: RegionCode
        /// The number of counted visits.
        package let counted: Int
    }

    package static let highestLevel = 10
    /// The number of counted visits from one level to the next.
    package static let visitsOfLevel = 3

    /// The number of visits.
    package let visits: Int
    /// The number of counted visits: one per place and local date.
    package let counted: Int
    /// The number of places.
    package let places: Int
    /// The categories with visits, the largest first, then by id.
    package let categories: [CategoryCount]
    /// The regions of the first level with visits, the largest first, then by code.
    package let regions: [RegionCount]
    /// All badges, in the order of ``VisitBadge``.
    package let badges: [BadgeProgress]

    /// The statistics of a user's visits.
    ///
    /// - Parameters:
    ///   - visits: all of them, in any order.
    ///   - marks: the stored dates of badges; store ``marks`` in their place.
    package init(of visits: some Sequence<CountableVisit>, marks: [VisitBadge: Instant] = [:]) {
        var visits = visits.sorted { $0.at < $1.at }.makeIterator()
        self.init(marks: marks) { visits.next() }
    }

    /// The statistics of a user's visits, read one at a time so that they are never in memory together.
    ///
    /// - Parameters:
    ///   - marks: the stored dates of badges; store ``marks`` in their place.
    ///   - next: the next visit, in the order of their times; nil after the last one.
    /// - Throws: the errors of `next`.
    package init<Failure: Error>(
        marks: [VisitBadge: Instant],
        inOrder next: () throws(Failure) -> CountableVisit?
    ) throws(Failure) {
        var tally = VisitTally()
        var count = 0
        while let visit = try next() {
            tally.add(visit)
            count += 1
        }
        visits = count
        counted = tally.counted
        places = tally.places
        categories = tally.categories.map(CategoryCount.init)
            .sorted { ($1.counted, $0.category) < ($0.counted, $1.category) }
        regions = tally.regions.map(RegionCount.init).sorted { ($1.counted, $0.region) < ($0.counted, $1.region) }
        let kept = tally.counted == 0 ? [:] : marks
        badges = VisitBadge.allCases.map { badge in
            BadgeProgress(
                badge: badge,
                earnedAt: kept[badge] ?? tally.earned[badge],
                progress: min(tally.progress(of: badge), badge.goal)
            )
        }
    }

    /// The dates of newly earned badges that are not stored yet; there must be at least one visit.
    ///
    /// Ends with the visit that earns the last badge without a date.
    ///
    /// - Parameters:
    ///   - marks: the stored dates of badges.
    ///   - next: the next visit, in the order of their times; nil after the last one.
    /// - Throws: the errors of `next`.
    package static func newMarks<Failure: Error>(
        beside marks: [VisitBadge: Instant],
        inOrder next: () throws(Failure) -> CountableVisit?
    ) throws(Failure) -> [VisitBadge: Instant] {
        var tally = VisitTally(open: VisitBadge.allCases.filter { marks[$0] == nil })
        while !tally.open.isEmpty, let visit = try next() { tally.add(visit) }
        return tally.earned
    }

    /// The level over all visits, 1…10.
    package var level: Int { Self.level(of: counted) }

    /// The number of counted visits missing for the next level; 0 at the highest.
    package var toNext: Int {
        level == Self.highestLevel ? 0 : (level + 1) * Self.visitsOfLevel - counted
    }

    /// The dates of badges to be stored.
    package var marks: [VisitBadge: Instant] {
        Dictionary(uniqueKeysWithValues: badges.compactMap { badge in badge.earnedAt.map { (badge.badge, $0) } })
    }

    /// The level for a number of counted visits: a third of it, at least 1, at most 10.
    package static func level(of counted: Int) -> Int {
        min(highestLevel, max(1, counted / visitsOfLevel))
    }
}
