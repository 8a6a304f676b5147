package import PromisedDomain

/// The end of a page of favourites; the list is sorted by the instant of adding, newest first, then by id.
package struct FavouriteCursor: Hashable, Sendable, CustomStringConvertible {
    /// When the last favourite shown was added.
    package var createdAt: Instant
    /// The last favourite shown.
    package var favouriteID: FavouriteID

    package init(createdAt: Instant, favouriteID: FavouriteID) {
        self.createdAt = createdAt
        self.favouriteID = favouriteID
    }

    package init(_ favourite: Favourite) { self.init(createdAt: favourite.createdAt, favouriteID: favourite.id) }

    /// A cursor from its opaque text; nil for any other text.
    package init?(_ text: String) {
        guard let parts = CursorText(text), parts.kind == FavouriteCursor.kind, parts.text.isEmpty else { return nil }
        self.init(
            createdAt: Instant(milliseconds: parts.number),
            favouriteID: FavouriteID(high: parts.id.high, low: parts.id.low)
        )
    }

    /// The opaque text: letters, digits, `-` and `_`.
    package var description: String {
        CursorText(
            kind: FavouriteCursor.kind,
            number: createdAt.milliseconds,
            id: (favouriteID.high, favouriteID.low),
            text: ""
        ).description
    }

    private static let kind = UInt8(ascii: "v")
}
