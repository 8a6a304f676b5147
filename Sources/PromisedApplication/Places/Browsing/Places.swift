package import PromisedDomain
package import PromisedEngine
package import PromisedPlaces
package import PromisedStore

/// Users' queries of the directory: categories and regions, the map, places nearby, searches and details.
///
/// All throw `unavailable` until the directory is loaded after a start, and while too many queries wait. Boxes, points
/// and search texts are never logged.
package struct Places: Sendable {
    /// The default for the most places and clusters of a view.
    package static let unaskedItems = 300

    private let directory: PlaceDirectory
    private let store: (places: PlaceStore, visits: VisitStore)
    private let categories: CategoryTable
    private let clock: any WallClock

    package init(
        directory: PlaceDirectory,
        store: some HasPlaces & HasVisits,
        categories: CategoryTable,
        clock: any WallClock
    ) {
        self.directory = directory
        self.store = (store.places, store.visits)
        self.categories = categories
        self.clock = clock
    }

    // MARK: - What there is

    /// All categories in the order of the table with their numbers of places, and all sources by name.
    package func listCategories() async throws -> (categories: [CountedCategory], sources: [CountedSource]) {
        try await directory.ask(.categories) { [categories] state in
            let counts = Dictionary(uniqueKeysWithValues: state.index.categoryCounts.map { ($0.id, $0.count) })
            return (categories.categories.map { CountedCategory($0, count: counts[$0.id] ?? 0) }, state.allSources)
        }
    }

    /// The regions with places, ascending by code.
    ///
    /// - Parameter parent: a region of the first level, to list its parts; nil for the first level.
    package func listRegions(in parent: RegionCode?) async throws -> [CountedRegion] {
        try await directory.ask(.regions) { state in
            state.regions.filter { $0.code.parent == parent }.map { region in
                let english = region.code.name(in: .english)
                let name = BilingualName(english: english, korean: region.code.name(in: .korean))
                return CountedRegion(code: region.code, name: name, count: region.count, box: region.box)
            }
        }
    }

    // MARK: - Looking

    /// The places and clusters of a part of the map.
    ///
    /// - Parameters:
    ///   - limit: the most places and clusters; nil for ``unaskedItems``, values above 500 count as 500.
    ///   - fits: `false` for a reply that is too large for its frame: it then shows fewer, larger clusters.
    /// - Throws: `invalid` with the field.
    package func view(
        _ box: Box,
        zoom: Int,
        _ choice: PlaceChoice = PlaceChoice(),
        limit: Int? = nil,
        for userID: UserID,
        fits: @escaping @Sendable (ShownPlaces) -> Bool = { _ in true }
    ) async throws -> ShownPlaces {
        guard box.isValid else { throw Refusal.invalid(field: "box") }
        guard PlaceView.zooms.contains(zoom) else { throw Refusal.invalid(field: "zoom") }
        let items = min(limit ?? Places.unaskedItems, PlaceView.limits.upperBound)
        guard items >= PlaceView.limits.lowerBound else { throw Refusal.invalid(field: "limit") }
        let asked = try await asked(choice, by: userID)
        return try await directory.ask(.view) { state in
            var maker = asked.cards
            var shown: ShownPlaces?
            let view = state.index.view(box, zoom: zoom, filter: asked.filter, limit: items, opening: asked.opening) {
                let attempt = maker.shown($0, of: state)
                shown = attempt
                return fits(attempt)
            }
            // The largest cells are shown without calling `fits`.
            guard let shown, shown.total == view.total, shown.cellPixels == view.cellPixels else {
                return maker.shown(view, of: state)
            }
            return shown
        }
    }

    /// A page of the places within a radius of a point, nearest first.
    ///
    /// - Parameters:
    ///   - radiusMetres: 0 to 50,000.
    ///   - limit: the most places on the page, at least 1.
    /// - Throws: `invalid` with the field.
    package func nearby(
        _ centre: Coordinate,
        radiusMetres: Double,
        _ choice: PlaceChoice = PlaceChoice(),
        after cursor: PlaceCursor? = nil,
        limit: Int,
        for userID: UserID
    ) async throws -> PlaceCards {
        guard centre.isValid else { throw Refusal.invalid(field: "latitude") }
        guard (0...PlaceIndex.widestRadiusMetres).contains(radiusMetres) else {
            throw Refusal.invalid(field: "radiusMetres")
        }
        try require(cursor, isByDistance: true)
        let asked = try await asked(choice, by: userID)
        return try await directory.ask(.nearby) { state in
            var maker = asked.cards
            let page = state.index.nearby(
                centre,
                radiusMetres: radiusMetres,
                filter: asked.filter,
                limit: limit,
                after: cursor,
                opening: asked.opening
            )
            return maker.cards(page, of: state)
        }
    }

    /// A page of the places that match a text, best matches first.
    ///
    /// - Parameters:
    ///   - near: orders equally good matches by distance from this point; nil orders them by category and name.
    ///   - box: only places in this part of the map; nil for all.
    ///   - limit: the most places on the page, at least 1.
    /// - Throws: `invalid` with the field.
    package func search(
        _ text: String,
        near: Coordinate? = nil,
        box: Box? = nil,
        _ choice: PlaceChoice = PlaceChoice(),
        after cursor: PlaceCursor? = nil,
        limit: Int,
        for userID: UserID
    ) async throws -> PlaceCards {
        let query = try PlaceQuery(typed: text)
        guard near?.isValid ?? true else { throw Refusal.invalid(field: "near") }
        guard box?.isValid ?? true else { throw Refusal.invalid(field: "box") }
        try require(cursor, isByDistance: near != nil)
        let asked = try await asked(choice, by: userID)
        return try await directory.ask(.search) { state in
            var maker = asked.cards
            let opening = asked.opening
            let search = PlaceIndex.Search(query, near: near, box: box, filter: asked.filter, opening: opening)
            return maker.cards(state.index.search(search, limit: limit, after: cursor), of: state)
        }
    }

    // MARK: - One place

    /// Everything about a place, including a removed one while its row exists. Throws `placeNotFound`.
    package func details(of id: PlaceID, for userID: UserID) async throws -> PlaceDetails {
        guard let place = try await store.places.places([id]).first else {
            throw ApplicationError.refused(.placeNotFound, field: "placeId")
        }
        let favourites = try await store.places.favouritePlaces(of: userID)
        var details = try directory.details(of: place, at: clock.now, favourites: favourites)
        details.myVisits = try await store.visits.visitCount(of: userID, to: id)
        return details
    }

    // MARK: - Parts

    /// The parts of a request and its user that a query needs.
    private struct Asked: Sendable {
        let filter: PlaceFilter
        let openings: PlaceOpenings
        let instant: Instant
        let favourites: [PlaceID: FavouriteID]

        var cards: PlaceCardMaker { PlaceCardMaker(openings, at: instant, favourites: favourites) }

        /// The state of hours at the filter's instant.
        var opening: (PlaceHours) -> OpeningState { { openings.state(of: $0, at: instant) } }
    }

    private func asked(_ choice: PlaceChoice, by userID: UserID) async throws -> Asked {
        try choice.check()
        let favourites = try await store.places.favouritePlaces(of: userID)
        var filter = choice.filter
        filter.favourites = choice.favouritesOnly ? Set(favourites.keys) : nil
        let instant = filter.openAt ?? clock.now
        return Asked(filter: filter, openings: directory.openings, instant: instant, favourites: favourites)
    }

    /// Rejects a cursor of a list in another order.
    private func require(_ cursor: PlaceCursor?, isByDistance: Bool) throws(Refusal) {
        switch cursor?.order {
        case nil: return
        case .distance where isByDistance: return
        case .name where !isByDistance: return
        case .distance, .name: throw .invalid(field: "cursor")
        }
    }
}
