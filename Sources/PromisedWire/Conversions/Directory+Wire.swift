internal import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol

extension PlaceSource {
    /// A source as given by an administrator, without a time zone and a number of places. Its texts are not validated.
    package init(_ wire: WirePlaceSource, timeZone: String) {
        self.init(
            name: wire.name,
            title: wire.title,
            publisher: wire.publisher,
            licence: wire.licence,
            url: wire.url,
            date: wire.date,
            timeZone: timeZone
        )
    }
}

extension ImportedPlace {
    /// A place as given in a row. Not validated, because each row is accepted or refused individually.
    package init(_ wire: WirePlaceRow) {
        self.init(
            ref: wire.ref,
            name: wire.place.name,
            names: wire.names.map { DirectoryPlace.Name(language: $0.language, name: $0.name) },
            coordinate: Coordinate(latitude: wire.place.latitude, longitude: wire.place.longitude),
            address: wire.place.address,
            region: wire.region.isEmpty ? nil : RegionCode(text: wire.region),
            categories: wire.categories.map { CategoryID(text: $0) },
            hours: wire.hours,
            phone: wire.phone,
            website: wire.website,
            social: wire.social,
            facts: wire.facts.map { DirectoryPlace.Fact(key: $0.key, value: $0.value) }
        )
    }
}

extension WirePlaceRow {
    /// A place as its source describes it.
    package init(_ place: ImportedPlace) {
        self.init()
        ref = place.ref.bounded(characters: 100)
        self.place = WirePlace(Place(name: place.name, address: place.address, coordinate: place.coordinate))
        names = place.names.prefix(DirectoryPlace.mostNames).map { WirePlaceName($0) }
        categories = place.categories.map(\.wireText)
        region = place.region?.wireText ?? ""
        hours = place.hours.bounded(characters: 300)
        phone = place.phone.bounded(characters: 40)
        website = place.website.bounded(characters: 300)
        social = place.social.bounded(characters: 300)
        facts = place.facts.prefix(DirectoryPlace.mostFacts).map { WirePlaceFact($0) }
    }
}

extension WireAdminPlace {
    /// A place as an administrator sees it.
    package init(_ details: PlaceDetails) {
        self.init()
        let listing = details.place.listing
        placeID = listing.id.wireText
        sourceName = listing.source.bounded(characters: PlaceSource.longestName)
        row = WirePlaceRow(ImportedPlace(details.place))
        timeZone = listing.hours.timeZone.bounded(characters: 64)
        hoursReadable = details.week != nil
        updatedAt = WireTimestamp(details.place.updatedAt)
        if let removedAt = details.place.removedAt { self.removedAt = WireTimestamp(removedAt) }
    }
}

extension WireAdminSource {
    /// A source as an administrator sees it.
    package init(_ source: CountedSource, isImporting: Bool) {
        self.init()
        self.source = WirePlaceSource(source)
        timeZone = source.source.timeZone.bounded(characters: 64)
        importing = isImporting
    }
}
