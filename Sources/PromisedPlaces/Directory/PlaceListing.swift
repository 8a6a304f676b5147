package import PromisedDomain

/// The part of a place of the directory that maps, lists and searches show.
package struct PlaceListing: Hashable, Sendable {
    package var id: PlaceID
    /// Its name, 1–100 characters.
    package var name: String
    /// Its address, at most 200 characters, possibly empty.
    package var address: String
    /// Its position.
    package var coordinate: Coordinate
    /// One to three categories, the principal one first.
    package var categories: [CategoryID]
    /// The region it lies in, if known.
    package var region: RegionCode?
    /// Its opening hours.
    package var hours: PlaceHours
    /// The name of its source.
    package var source: String
    /// The version of the directory that added or last changed the place. Used by cursors: see ``PlaceCursor``.
    package var revision: Int

    /// A listing with all its fields; ``DirectoryPlace/check()`` checks them.
    package init(
        id: PlaceID,
        name: String,
        address: String = "",
        coordinate: Coordinate,
        categories: [CategoryID],
        region: RegionCode? = nil,
        hours: PlaceHours = PlaceHours(),
        source: String,
        revision: Int
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.coordinate = coordinate
        self.categories = categories
        self.region = region
        self.hours = hours
        self.source = source
        self.revision = revision
    }

    /// The copy that a promise at this place stores.
    package var place: Place { Place(name: name, address: address, coordinate: coordinate, placeID: id) }
}

/// The opening hours of a place as its source provides them.
package struct PlaceHours: Hashable, Sendable {
    /// The text, at most 300 characters; empty if unknown.
    package var text: String
    /// The time zone that the hours are in, by its name in the IANA database.
    package var timeZone: String

    /// Hours by their text; unknown ones by default.
    package init(text: String = "", timeZone: String = "") {
        self.text = text
        self.timeZone = timeZone
    }
}
