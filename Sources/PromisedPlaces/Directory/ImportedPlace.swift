package import PromisedDomain

/// A place as its source provides it: a ``DirectoryPlace`` without the values that the server adds.
package struct ImportedPlace: Hashable, Sendable {
    /// Its id in the source, at most 100 characters; or a hash if the source has none.
    package var ref: String
    /// Its name, 1–100 characters.
    package var name: String
    /// At most four further names, each in a different language.
    package var names: [DirectoryPlace.Name]
    package var coordinate: Coordinate
    /// Its address, at most 200 characters, possibly empty.
    package var address: String
    /// The region it lies in, if known.
    package var region: RegionCode?
    /// One to three categories, the principal one first.
    package var categories: [CategoryID]
    /// The text of its opening hours, at most 300 characters; empty if unknown.
    package var hours: String
    /// The telephone number, at most 40 characters, possibly empty.
    package var phone: String
    /// The address of its page, http or https, at most 300 characters, possibly empty.
    package var website: String
    /// The address of its page in a social network, in the same form.
    package var social: String
    /// At most 16 facts with different keys.
    package var facts: [DirectoryPlace.Fact]

    /// A place with all its fields; ``DirectoryPlace/check()`` checks them.
    package init(
        ref: String,
        name: String,
        names: [DirectoryPlace.Name] = [],
        coordinate: Coordinate,
        address: String = "",
        region: RegionCode? = nil,
        categories: [CategoryID],
        hours: String = "",
        phone: String = "",
        website: String = "",
        social: String = "",
        facts: [DirectoryPlace.Fact] = []
    ) {
        self.ref = ref
        self.name = name
        self.names = names
        self.coordinate = coordinate
        self.address = address
        self.region = region
        self.categories = categories
        self.hours = hours
        self.phone = phone
        self.website = website
        self.social = social
        self.facts = facts
    }

    /// The values that the source provided.
    package init(_ place: DirectoryPlace) {
        self.init(
            ref: place.ref,
            name: place.listing.name,
            names: place.names,
            coordinate: place.listing.coordinate,
            address: place.listing.address,
            region: place.listing.region,
            categories: place.listing.categories,
            hours: place.listing.hours.text,
            phone: place.phone,
            website: place.website,
            social: place.social,
            facts: place.facts
        )
    }
}

extension DirectoryPlace {
    /// A place of a source. Its hours are in the time zone of the source.
    ///
    /// - Parameter revision: see ``PlaceListing/revision``.
    package init(_ place: ImportedPlace, id: PlaceID, of source: PlaceSource, revision: Int, updatedAt: Instant) {
        self.init(
            listing: PlaceListing(
                id: id,
                name: place.name,
                address: place.address,
                coordinate: place.coordinate,
                categories: place.categories,
                region: place.region,
                hours: PlaceHours(text: place.hours, timeZone: source.timeZone),
                source: source.name,
                revision: revision
            ),
            ref: place.ref,
            names: place.names,
            phone: place.phone,
            website: place.website,
            social: place.social,
            facts: place.facts,
            updatedAt: updatedAt
        )
    }
}
