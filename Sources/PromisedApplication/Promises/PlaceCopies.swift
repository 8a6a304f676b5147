internal import PromisedDomain
internal import PromisedPlaces
internal import PromisedStore

/// Copies places of the directory into promises. Later changes of the directory do not change the copies.
struct PlaceCopies: Sendable {
    private let store: PlaceStore

    init(_ store: some HasPlaces) { self.store = store.places }

    /// The directory's place, if `place` names one there; otherwise `place` itself. Throws `placeNotFound` for an
    /// unknown id or a place removed from the directory.
    func copy(of place: Place) async throws -> Place {
        guard let id = place.placeID else { return place }
        guard let known = try await store.places([id]).first, known.removedAt == nil else {
            throw ApplicationError.refused(.placeNotFound, field: "place.placeId")
        }
        return known.listing.place
    }
}
