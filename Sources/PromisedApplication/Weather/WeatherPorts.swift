package import PromisedDomain
package import PromisedPlaces

/// The directory as needed by outlooks. Implemented by its use cases.
package protocol OutlookPlaces: Sendable {
    /// The opening of a place at an instant; nil if it is not in the directory, or the directory is not built yet.
    func opening(of id: PlaceID, at instant: Instant) async -> OpeningOutlook?

    /// The position of a place. Throws `place.not-found`, and `server.unavailable` until the directory is built.
    func coordinate(of id: PlaceID) async throws -> Coordinate
}
