package import PromisedDomain

package typealias FavouriteID = ID<Favourite>

/// A place that one user saves for later meetups. Other users cannot see it.
package struct Favourite: Hashable, Sendable {
    package var id: FavouriteID
    /// The user's own name for it, at most 40 characters, possibly empty.
    package var label: String
    /// The place, copied when it was added.
    package var place: Place
    /// When it was added; lists are newest first.
    package var createdAt: Instant

    /// The most favourites of a user.
    package static let most = 500
    /// The most characters of a label.
    package static let longestLabel = 40

    package init(id: FavouriteID, label: String, place: Place, createdAt: Instant) {
        self.id = id
        self.label = label
        self.place = place
        self.createdAt = createdAt
    }
}
