package import PromisedDomain
package import PromisedEngine

/// The subject of an outlook.
package enum OutlookSubject: Hashable, Sendable {
    /// A promise, at its meeting time.
    case promise(PromiseID)
    /// A place of the directory.
    case place(PlaceID)
}

/// The directory as outlooks need it. Implemented by its use cases.
package protocol OutlookPlaces: Sendable {
    /// The opening of a place at an instant; nil if the directory does not have it, or is not built yet.
    func opening(of id: PlaceID, at instant: Instant) async -> OpeningOutlook?

    /// The position of a place. Throws `place.not-found`, and `server.unavailable` until the directory is built.
    func coordinate(of id: PlaceID) async throws -> Coordinate
}

/// Receives the news of the weather. Implemented by the owner of the connections.
package protocol WeatherListener: Sendable {
    /// Tells a user, on all connections, an outlook that was pending when it was requested; never waits.
    func tell(_ userID: UserID, _ outlook: PlaceOutlook, of subject: OutlookSubject)

    /// Tells connections that the outlook of a promise has changed; never waits.
    func tell(_ subscribers: [SubscriberID], changed outlook: PlaceOutlook, of promiseID: PromiseID)

    /// Notifies the accepted participants of a promise that its weather became dangerous or slippery. Called at most once
    /// for a promise.
    func weatherTurned(of promiseID: PromiseID, for users: [UserID]) async
}
