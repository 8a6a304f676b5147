package import PromisedDomain

/// Selects the places of a map, a list or a search. Each part narrows the selection; an empty one allows all.
package struct PlaceFilter: Hashable, Sendable {
    /// Places of any of these categories; one without `/` includes all that begin with it. At most 16.
    package var categories: [CategoryID]
    /// Places in any of these regions; one of the first level includes its parts. At most 16.
    package var regions: [RegionCode]
    /// Places of any of these sources. At most 8.
    package var sources: [String]
    /// Places that are open at this moment, or that day if the hours are unknown.
    package var openAt: Instant?
    /// Only these places.
    package var favourites: Set<PlaceID>?

    /// The most categories and the most regions.
    package static let mostCategories = 16
    package static let mostSources = 8

    /// A filter; by default one that allows all.
    package init(
        categories: [CategoryID] = [],
        regions: [RegionCode] = [],
        sources: [String] = [],
        openAt: Instant? = nil,
        favourites: Set<PlaceID>? = nil
    ) {
        self.categories = categories
        self.regions = regions
        self.sources = sources
        self.openAt = openAt
        self.favourites = favourites
    }

    /// `true` if every place passes.
    package var allowsAll: Bool {
        categories.isEmpty && regions.isEmpty && sources.isEmpty && openAt == nil && favourites == nil
    }

    /// `true` if a place passes.
    ///
    /// - Parameter opening: the state of hours at the moment the filter names; not called without one.
    package func allows(_ listing: PlaceListing, opening: (PlaceHours) -> OpeningState) -> Bool {
        allows(categories: listing.categories) && allows(region: listing.region) && allows(source: listing.source)
            && favourites?.contains(listing.id) ?? true
            && (openAt == nil || PlaceFilter.allows(opening(listing.hours)))
    }

    /// `true` if a place with these categories passes the filter's part about categories.
    package func allows(categories given: [CategoryID]) -> Bool {
        categories.isEmpty || given.contains { one in categories.contains { $0.contains(one) } }
    }

    /// `true` if a place in this region passes the filter's part about regions.
    package func allows(region: RegionCode?) -> Bool {
        regions.isEmpty || region.map { region in regions.contains { $0.contains(region) } } ?? false
    }

    /// `true` if a place of this source passes the filter's part about sources.
    func allows(source: String) -> Bool { sources.isEmpty || sources.contains(source) }

    /// `true` for the states that a filter by time allows.
    package static func allows(_ state: OpeningState) -> Bool {
        switch state {
        case .open, .thatDay: true
        case .closed, .unknown: false
        }
    }

    /// Checks the numbers of values.
    ///
    /// - Throws: ``PlaceProblem`` for the first part that has too many.
    package func check() throws(PlaceProblem) {
        let parts = [
            ("categories", categories.count, PlaceFilter.mostCategories),
            ("regions", regions.count, PlaceFilter.mostCategories), ("sources", sources.count, PlaceFilter.mostSources),
        ]
        for (field, count, most) in parts where count > most {
            throw PlaceProblem(field: field, reason: "are \(count): use at most \(most)")
        }
    }
}
