internal import PromisedDomain
internal import PromisedPlaces

/// Makes the cards of one reply to one user. Used on one thread.
struct PlaceCardMaker {
    private let openings: PlaceOpenings
    private let instant: Instant
    private let favourites: [PlaceID: FavouriteID]
    /// Cached, because most places in a reply share their hours with others.
    private var outlooks: [PlaceHours: OpeningOutlook?] = [:]

    /// Makes cards that show the opening at an instant.
    ///
    /// - Parameter favourites: the user's favourites.
    init(_ openings: PlaceOpenings, at instant: Instant, favourites: [PlaceID: FavouriteID]) {
        self.openings = openings
        self.instant = instant
        self.favourites = favourites
    }

    mutating func card(
        _ listing: PlaceListing,
        distanceMetres: Double? = nil,
        isRemoved: Bool = false
    ) -> PlaceCard {
        let outlook = outlook(of: listing.hours)
        return PlaceCard(
            listing: listing,
            opening: outlook?.state ?? .unknown,
            opensAt: outlook?.opensAt,
            closesAt: outlook?.closesAt,
            distanceMetres: distanceMetres,
            favouriteID: favourites[listing.id],
            isRemoved: isRemoved
        )
    }

    mutating func cards(_ page: PlacePage, of state: DirectoryState) -> PlaceCards {
        let cards = page.entries.map { card(state.index.listing(of: $0.row), distanceMetres: $0.distanceMetres) }
        return PlaceCards(cards: cards, cursor: page.cursor, sources: state.sources(named: page.sources))
    }

    /// The cards and clusters of a view.
    mutating func shown(_ view: PlaceView, of state: DirectoryState) -> ShownPlaces {
        ShownPlaces(
            cards: view.places.map { card(state.index.listing(of: $0)) },
            clusters: view.clusters,
            total: view.total,
            cellPixels: view.cellPixels,
            sources: state.sources(named: view.sources)
        )
    }

    private mutating func outlook(of hours: PlaceHours) -> OpeningOutlook? {
        guard !hours.text.isEmpty else { return nil }
        if let known = outlooks[hours] { return known }
        let outlook = openings.outlook(of: hours, at: instant)
        outlooks[hours] = .some(outlook)
        return outlook
    }
}
