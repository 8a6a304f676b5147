internal import PromisedDomain
internal import PromisedPlaces

extension PlaceDirectory {
    /// Everything about a place at an instant. Throws `unavailable` until the directory is loaded.
    ///
    /// - Parameter favourites: the user's favourites.
    func details(
        of place: DirectoryPlace,
        at instant: Instant,
        favourites: [PlaceID: FavouriteID]
    ) throws(ApplicationError) -> PlaceDetails {
        var cards = PlaceCardMaker(openings, at: instant, favourites: favourites)
        let name = place.listing.source
        let source = try standing().sources(named: [name]).first
        return PlaceDetails(
            card: cards.card(place.listing, isRemoved: place.removedAt != nil),
            place: place,
            week: openings.week(of: place.listing.hours, from: instant),
            // The source is new, or no longer has places.
            source: source ?? CountedSource(PlaceSource(name: name, timeZone: ""), count: 0)
        )
    }
}
