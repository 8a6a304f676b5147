internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedPlaces
package import PromisedStore

/// Places that a user saves for later meetups. Other users and administrators cannot see them.
package struct Favourites: Sendable {
    private let store: PlaceStore
    private let openings: PlaceOpenings
    private let clock: any WallClock
    private let random: RandomSource

    package init(store: some HasPlaces, openings: PlaceOpenings, clock: any WallClock, random: RandomSource) {
        self.store = store.places
        self.openings = openings
        self.clock = clock
        self.random = random
    }

    /// Saves a place. The same key with the same content, or the same place of the directory, returns the existing
    /// favourite.
    ///
    /// - Parameters:
    ///   - place: one of the directory, identified by its id alone; or the user's own place, whose texts are cleaned.
    ///   - label: at most 40 characters, possibly empty.
    ///   - contentHash: a hash of the request without the key.
    /// - Throws: `TextProblem`, `invalid` with the field, `placeNotFound`, `placeLimit`, `requestKeyReused`.
    package func add(
        _ place: Place,
        label: String,
        key: String,
        contentHash: [UInt8],
        of userID: UserID
    ) async throws -> ShownFavourite {
        let key = try TextRule.creationKey.clean(key)
        let label = try TextRule.favouriteLabel.clean(label)
        let place = try await copy(of: PromiseDraft.checked(place))
        var generator = random
        let now = clock.now
        let id = FavouriteID(at: now, using: &generator)
        let favourite = Favourite(id: id, label: label, place: place, createdAt: now)
        let outcome = try await store.addFavourite(
            favourite,
            of: userID,
            key: key,
            contentHash: contentHash,
            now: now
        )
        switch outcome {
        case .added: return try await shown([favourite])[0]
        case .existing(let known): return try await shown([known])[0]
        case .keyReused: throw Refusal.requestKeyReused
        case .limitReached:
            let message = "A user has at most \(Favourite.most) favourites: remove one first."
            throw ApplicationError.refused(.placeLimit, message: message)
        case .placeMissing: throw ApplicationError.refused(.placeNotFound, field: "placeId")
        }
    }

    /// Removes a favourite. Throws `placeNotFound` if the user has no favourite with this id.
    package func remove(_ id: FavouriteID, of userID: UserID) async throws {
        guard try await store.removeFavourite(id, of: userID) else {
            throw ApplicationError.refused(.placeNotFound, field: "favouriteId")
        }
    }

    /// A page of a user's favourites, newest first; for places in the directory, with their current cards.
    package func list(
        of userID: UserID,
        after cursor: FavouriteCursor?,
        limit: Int
    ) async throws -> Page<ShownFavourite, FavouriteCursor> {
        let page = try await store.favourites(of: userID, after: cursor, limit: limit)
        return Page(items: try await shown(page.items), next: page.next)
    }

    /// The current place in the directory. If it is missing there, passes it on to the store, which refuses it unless
    /// the request is a repetition.
    private func copy(of place: Place) async throws -> Place {
        guard let id = place.placeID else { return place }
        return try await store.places([id]).first?.listing.place ?? place
    }

    private func shown(_ favourites: [Favourite]) async throws -> [ShownFavourite] {
        let places = try await store.places(favourites.compactMap(\.place.placeID))
        let byID = Dictionary(places.map { ($0.listing.id, $0) }) { first, _ in first }
        let ids = Dictionary(favourites.compactMap { favourite in favourite.place.placeID.map { ($0, favourite.id) } })
        {
            first,
            _ in first
        }
        var maker = PlaceCardMaker(openings, at: clock.now, favourites: ids)
        return favourites.map { favourite in
            let card = favourite.place.placeID.flatMap { byID[$0] }.map { place in
                maker.card(place.listing, isRemoved: place.removedAt != nil)
            }
            return ShownFavourite(favourite, card: card)
        }
    }
}

extension TextRule {
    /// A user's own name for a favourite: at most 40 characters, possibly empty.
    static let favouriteLabel = TextRule(field: "label", length: 0...Favourite.longestLabel)
}
