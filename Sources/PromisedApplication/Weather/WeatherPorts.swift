package import PromisedDomain
package import PromisedEngine
package import PromisedPlaces

package enum OutlookSubject: Hashable, Sendable {
    /// A promise, at its meeting time.
    case promise(PromiseID)
    case place(PlaceID)
}

/// The directory as needed by outlooks. Implemented by its use cases.
package protocol OutlookPlaces: Sendable {
    /// The opening of a place at an instant; nil if it is not in the directory, or the directory is not built yet.
    func opening(of id: PlaceID, at instant: Instant) async -> OpeningOutlook?

    /// The position of a place. Throws `place.not-found`, and `server.unavailable` until the directory is built.
    func coordinate(of id: PlaceID) async throws -> Coordinate
}

/// Receives weather updates. Implemented by the owner of the connections.
package protocol WeatherListener: Sendable {
    /// Sends a user, on all connections, an outlook that was pending when it was requested; returns at once.
    func tell(_ userID: UserID, _ outlook: PlaceOutlook, of subject: OutlookSubject)

    /// Sends connections the changed outlook of a promise; returns at once.
    func tell(_ subscribers: [SubscriberID], changed outlook: PlaceOutlook, of promiseID: PromiseID)

    /// Notifies the accepted participants of a promise that its weather became dangerous or slippery. Called at most
    /// once per promise.
    func weatherTurned(of promiseID: PromiseID, for users: [UserID]) async
}
