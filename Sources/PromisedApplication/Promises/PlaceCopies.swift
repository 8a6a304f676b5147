internal import PromisedDomain
internal import PromisedStore

/// Copies places of the directory into promises. Later changes of the directory do not change the copies.
struct PlaceCopies: Sendable {
    private let store: Store

    /// The copies of the places in a store.
    init(_ store: Store) { self.store = store }

    /// The place as the directory has it, if `place` names one there; otherwise `place` itself. Throws `placeNotFound`
    /// for an id that is unknown or whose place has left the directory.
    func copy(of place: Place) async throws -> Place {
        guard let id = place.placeID else { return place }
        guard let known = try await store.places([id]).first, known.removedAt == nil else {
            throw ActError.refused(.placeNotFound, field: "place.placeId")
        }
        return known.listing.place
    }
}
