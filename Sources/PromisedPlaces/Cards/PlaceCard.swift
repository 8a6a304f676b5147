package import PromisedDomain

/// A place of the directory as maps and lists show it to one user at one moment.
package struct PlaceCard: Hashable, Sendable {
    package var listing: PlaceListing
    /// Its state at the moment of the filter, or else now.
    package var opening: OpeningState
    /// When it opens next, at a known time; nil if it is open.
    package var opensAt: Instant?
    /// When it closes; nil if it is not open.
    package var closesAt: Instant?
    /// The distance from the point that the request names, in metres; nil without one.
    package var distanceMetres: Double?
    /// The user's favourite of this place, if there is one.
    package var favouriteID: FavouriteID?
    /// `true` if the place was removed from the directory.
    package var isRemoved: Bool

    package init(
        listing: PlaceListing,
        opening: OpeningState,
        opensAt: Instant? = nil,
        closesAt: Instant? = nil,
        distanceMetres: Double? = nil,
        favouriteID: FavouriteID? = nil,
        isRemoved: Bool = false
    ) {
        self.listing = listing
        self.opening = opening
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.distanceMetres = distanceMetres
        self.favouriteID = favouriteID
        self.isRemoved = isRemoved
    }
}

/// A source with the number of its places.
package struct CountedSource: Hashable, Sendable {
    package var source: PlaceSource
    /// The number of its places in the directory.
    package var count: Int

    package init(_ source: PlaceSource, count: Int) {
        self.source = source
        self.count = count
    }
}

/// The answer to a viewport. Contains at most the requested number of places and clusters.
package struct ShownPlaces: Hashable, Sendable {
    /// The places shown alone.
    package var cards: [PlaceCard]
    package var clusters: [PlaceCluster]
    /// The exact number of matching places in the box.
    package var total: Int
    /// The side of the cells that were joined, in pixels.
    package var cellPixels: Int
    /// The sources of all shown places, clusters included, by name.
    package var sources: [CountedSource]

    package init(
        cards: [PlaceCard],
        clusters: [PlaceCluster],
        total: Int,
        cellPixels: Int,
        sources: [CountedSource]
    ) {
        self.cards = cards
        self.clusters = clusters
        self.total = total
        self.cellPixels = cellPixels
        self.sources = sources
    }
}

/// A page of places near a point or of the results of a search.
package struct PlaceCards: Hashable, Sendable {
    /// The places in the order of the request.
    package var cards: [PlaceCard]
    /// Where the next page begins; nil at the end.
    package var cursor: PlaceCursor?
    /// The sources of these places, by name.
    package var sources: [CountedSource]

    package init(cards: [PlaceCard], cursor: PlaceCursor? = nil, sources: [CountedSource]) {
        self.cards = cards
        self.cursor = cursor
        self.sources = sources
    }
}

/// A category with the number of places in it.
package struct CountedCategory: Hashable, Sendable {
    package var category: PlaceCategory
    /// The number of its places.
    package var count: Int

    package init(_ category: PlaceCategory, count: Int) {
        self.category = category
        self.count = count
    }
}

/// A region with the number of places in it.
package struct CountedRegion: Hashable, Sendable {
    package var code: RegionCode
    /// Its name for people.
    package var name: BilingualName
    /// The number of its places.
    package var count: Int
    /// The bounding box of these places.
    package var box: Box

    package init(code: RegionCode, name: BilingualName, count: Int, box: Box) {
        self.code = code
        self.name = name
        self.count = count
        self.box = box
    }
}

/// A favourite with the card of its place.
package struct ShownFavourite: Hashable, Sendable {
    package var favourite: Favourite
    /// The place in the current directory; nil for a place of the user's own, or if it no longer exists.
    package var card: PlaceCard?

    package init(_ favourite: Favourite, card: PlaceCard?) {
        self.favourite = favourite
        self.card = card
    }
}
