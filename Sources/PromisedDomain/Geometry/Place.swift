/// The id of a place of the directory, constant for a pair of source and ``DirectoryPlace/ref``.
package typealias PlaceID = ID<Place>

/// A place as promises, favourites and visits store it: a copy that later changes of the directory do not affect.
package struct Place: Hashable, Sendable, Codable {
    /// Its name, 1–100 characters.
    package var name: String
    /// Its postal address or a description, at most 200 characters, possibly empty.
    package var address: String
    /// The centre of the circle that counts as "there".
    package var coordinate: Coordinate
    /// The place of the directory it was copied from; nil for a place that a user described.
    package var placeID: PlaceID?

    /// A place; lengths are checked by ``PromiseDraft``.
    package init(name: String, address: String = "", coordinate: Coordinate, placeID: PlaceID? = nil) {
        self.name = name
        self.address = address
        self.coordinate = coordinate
        self.placeID = placeID
    }
}
