internal import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol
internal import SwiftProtobuf

extension WirePlaceCard {
    /// A place as maps and lists show it.
    package init(_ card: PlaceCard) {
        self.init()
        placeID = card.listing.id.wireText
        // The card already has the id.
        place = WirePlace(card.listing.place)
        place.clearPlaceID()
        categories = card.listing.categories.prefix(DirectoryPlace.categoryCounts.upperBound).map(\.wireText)
        region = card.listing.region?.wireText ?? ""
        opening = WireOpening.Value(card.opening)
        if let opensAt = card.opensAt { self.opensAt = WireTimestamp(opensAt) }
        if let closesAt = card.closesAt { self.closesAt = WireTimestamp(closesAt) }
        if let metres = card.distanceMetres { distanceMetres = metres }
        favouriteID = card.favouriteID?.wireText ?? ""
        sourceName = card.listing.source.bounded(characters: PlaceSource.longestName)
        removed = card.isRemoved
    }
}

extension WireOpening.Value {
    package init(_ state: OpeningState) {
        switch state {
        case .unknown: self = .unknown
        case .open: self = .open
        case .closed: self = .closed
        case .thatDay: self = .thatDay
        }
    }
}

extension OpeningState {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireOpening.Value) {
        guard let value = Self.allCases.first(where: { WireOpening.Value($0) == wire }) else { return nil }
        self = value
    }
}

extension WirePlaceSource {
    /// A source with its number of places.
    package init(_ counted: CountedSource) {
        self.init()
        let source = counted.source
        name = source.name.bounded(characters: PlaceSource.longestName)
        title = source.title.bounded(characters: 100)
        publisher = source.publisher.bounded(characters: 100)
        licence = source.licence.bounded(characters: 100)
        url = source.url.bounded(characters: 300)
        date = source.date.bounded(characters: 40)
        count = UInt32(clamping: counted.count)
    }
}

extension WireBox {
    package init(_ box: Box) {
        self.init()
        (south, west, north, east) = (box.south, box.west, box.north, box.east)
    }
}

extension WireCluster {
    /// Places that the map shows as one.
    package init(_ cluster: PlaceCluster) {
        self.init()
        count = UInt32(clamping: cluster.count)
        latitude = cluster.coordinate.latitude
        longitude = cluster.coordinate.longitude
        box = WireBox(cluster.box)
        expandZoom = UInt32(clamping: cluster.expandZoom)
        categories = cluster.categories.map { category in
            .with {
                $0.id = category.id.wireText
                $0.count = UInt32(clamping: category.count)
            }
        }
        label = cluster.label?.wireText ?? ""
    }
}

// MARK: - Replies

extension WirePlaceView {
    /// The reply to `viewPlaces`.
    package init(_ shown: ShownPlaces) {
        self.init()
        cards = shown.cards.map { WirePlaceCard($0) }
        clusters = shown.clusters.map { WireCluster($0) }
        total = UInt32(clamping: shown.total)
        cellPixels = UInt32(clamping: shown.cellPixels)
        sources = shown.sources.map { WirePlaceSource($0) }
    }
}

extension WirePlaces {
    /// The reply to `nearbyPlaces`, `searchPlaces` and the form `findPlaces`.
    package init(_ page: PlaceCards) {
        self.init()
        cards = page.cards.map { WirePlaceCard($0) }
        cursor = page.cursor?.text ?? ""
        sources = page.sources.map { WirePlaceSource($0) }
    }
}

extension WireCategories {
    /// The reply to `listCategories`, with names in the caller's language.
    package init(
        _ categories: [CountedCategory],
        sources: [CountedSource],
        in language: BilingualName.Language
    ) {
        self.init()
        self.categories = categories.map { counted in
            .with {
                $0.id = counted.category.id.wireText
                $0.name = counted.category.name[language].bounded(characters: PlaceCategory.longestName)
                $0.icon = counted.category.icon.bounded(characters: CategoryID.longestPart)
                $0.count = UInt32(clamping: counted.count)
            }
        }
        self.sources = sources.map { WirePlaceSource($0) }
    }
}

extension WireRegions {
    /// The reply to `listRegions`, with names in the caller's language.
    package init(_ regions: [CountedRegion], in language: BilingualName.Language) {
        self.init()
        self.regions = regions.map { region in
            .with {
                $0.code = region.code.wireText
                $0.name = region.name[language].bounded(characters: RegionCode.longestLevel)
                $0.count = UInt32(clamping: region.count)
                $0.box = WireBox(region.box)
            }
        }
    }
}

extension WireFavourite {
    /// A favourite with the card of its place.
    package init(_ shown: ShownFavourite) {
        self.init()
        favouriteID = shown.favourite.id.wireText
        label = shown.favourite.label.bounded(characters: Favourite.longestLabel)
        place = WirePlace(shown.favourite.place)
        if let card = shown.card { self.card = WirePlaceCard(card) }
    }
}

extension WireShareText {
    /// The reply to `getShareText`.
    package init(_ shared: ShareText) {
        self.init()
        text = shared.text
        links = shared.links.map { link in
            .with {
                $0.name = link.name
                $0.url = link.url
            }
        }
    }
}

// MARK: - Codes

extension CategoryID {
    var wireText: String { text.bounded(characters: 2 * CategoryID.longestPart + 1) }
}

extension RegionCode {
    var wireText: String { text.bounded(characters: 2 * RegionCode.longestLevel + 1) }
}
