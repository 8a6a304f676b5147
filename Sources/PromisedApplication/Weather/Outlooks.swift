package import PromisedDomain
internal import PromisedEngine
internal import PromisedOutside
package import PromisedPlaces
internal import PromisedStore

/// Outlooks: the opening and the weather of promises at their meeting time, and of places of the directory.
///
/// An outlook with pending weather is sent to the user again after the fetch (``News``).
package struct Outlooks: Sendable {
    private let sessions: PromiseSessions
    private let forecasts: WeatherService
    private let places: any OutlookPlaces
    private let news: any News
    private let prefetch: WeatherPrefetch
    private let pending = PendingOutlooks()
    private let clock: any WallClock

    init(
        sessions: PromiseSessions,
        forecasts: WeatherService,
        places: any OutlookPlaces,
        news: any News,
        prefetch: WeatherPrefetch,
        clock: any WallClock
    ) {
        self.sessions = sessions
        self.forecasts = forecasts
        self.places = places
        self.news = news
        self.prefetch = prefetch
        self.clock = clock
    }

    // MARK: - Questions

    /// The outlook for a reply that shows a promise to an invited or accepted user, from the data available now: starts
    /// fetches, but does not wait for them. Nil if the weather is off and the opening unknown, and for a cancelled
    /// promise.
    ///
    /// Call this or ``noteMeeting(of:)`` for every new or moved promise: both schedule the fetch of the weather before
    /// the meeting time.
    package func known(of promise: Promise, for userID: UserID) async -> PlaceOutlook? {
        guard promise.cancelledAt == nil else { return nil }
        await noteMeeting(of: promise)
        let outlook = await outlook(of: promise, for: userID, waits: false)
        return outlook.weather.state == .off && outlook.opening == .unknown ? nil : outlook
    }

    /// Schedules the fetch of the weather before the meeting time of a promise that may be new or moved.
    package func noteMeeting(of promise: Promise) async { await prefetch.noteMeeting(at: promise.meetsAt) }

    /// The outlook of a promise at its meeting time. Waits for the weather at most
    /// ``WeatherService/Settings/patience``. Throws `promiseNotFound` unless the user is invited or has accepted.
    package func outlook(ofPromise id: PromiseID, for userID: UserID) async throws -> PlaceOutlook {
        try await outlook(ofPromise: id, for: userID, waits: true)
    }

    /// The outlook of a place of the directory at an instant; nil for now. Waits as for a promise. Throws
    /// `place.not-found`.
    package func outlook(ofPlace id: PlaceID, at instant: Instant?, for userID: UserID) async throws -> PlaceOutlook {
        try await outlook(ofPlace: id, at: instant ?? clock.now, for: userID, waits: true)
    }

    // MARK: - The ends of fetches

    /// Sends the outlooks that waited for a fetch.
    func answer(_ update: WeatherUpdate) async {
        for question in await pending.take(update.key) {
            // The user may no longer see the promise or the place; then nothing is sent.
            guard let outlook = try? await outlook(again: question) else { continue }
            guard outlook.weather.state != .pending else { continue }
            news.tell(.outlookReady(outlook, of: question.subject), to: .user(question.userID))
        }
    }

    private func outlook(again question: OutlookQuestion) async throws -> PlaceOutlook {
        switch question.subject {
        case .promise(let id): try await outlook(ofPromise: id, for: question.userID, waits: false)
        case .place(let id):
            try await outlook(ofPlace: id, at: question.instant ?? clock.now, for: question.userID, waits: false)
        }
    }

    // MARK: - Parts

    private func outlook(ofPromise id: PromiseID, for userID: UserID, waits: Bool) async throws -> PlaceOutlook {
        let (view, standing) = try await sessions.view(of: id, for: userID)
        try standing.requireIn()
        return await outlook(of: view.promise, for: userID, waits: waits)
    }

    private func outlook(of promise: Promise, for userID: UserID, waits: Bool) async -> PlaceOutlook {
        let weather = await weather(
            OutlookQuestion(subject: .promise(promise.id), instant: nil, userID: userID),
            at: promise.place.coordinate,
            instant: promise.meetsAt,
            purpose: WeatherBudget.Purpose(ofPromiseAt: promise.meetsAt, now: clock.now),
            payer: .owner(promise.ownerID),
            waits: waits
        )
        let opening = await promise.opening(in: places)
        return PlaceOutlook(at: promise.meetsAt, opening, weather)
    }

    private func outlook(
        ofPlace id: PlaceID,
        at instant: Instant,
        for userID: UserID,
        waits: Bool
    ) async throws -> PlaceOutlook {
        let coordinate = try await places.coordinate(of: id)
        let weather = await weather(
            OutlookQuestion(subject: .place(id), instant: instant, userID: userID),
            at: coordinate,
            instant: instant,
            purpose: .ordinary,
            payer: .asker(userID),
            waits: waits
        )
        return PlaceOutlook(at: instant, await places.opening(of: id, at: instant), weather)
    }

    private func weather(
        _ question: OutlookQuestion,
        at point: Coordinate,
        instant: Instant,
        purpose: WeatherBudget.Purpose,
        payer: WeatherPayer,
        waits: Bool
    ) async -> WeatherOutlook {
        let first = await forecasts.outlook(
            at: point,
            instant: instant,
            purpose: purpose,
            payer: payer,
            waits: waits
        )
        guard first.state == .pending else { return first }
        await pending.add(question, at: point)
        // Queries again, because a fetch that ended before the question was added is not reported again.
        let second = await forecasts.outlook(
            at: point,
            instant: instant,
            purpose: purpose,
            payer: payer,
            waits: false
        )
        if second.state != .pending { await pending.withdraw(question) }
        return second
    }
}

extension Promise {
    /// The opening of its place at the meeting time; nil for a place outside the directory.
    func opening(in places: any OutlookPlaces) async -> OpeningOutlook? {
        guard let placeID = place.placeID else { return nil }
        return await places.opening(of: placeID, at: meetsAt)
    }
}

extension PlaceOutlook {
    /// The outlook with an opening, which is unknown if nil.
    init(at instant: Instant, _ opening: OpeningOutlook?, _ weather: WeatherOutlook) {
        self.init(
            at: instant,
            opening: opening?.state ?? .unknown,
            opensAt: opening?.opensAt,
            closesAt: opening?.closesAt,
            weather: weather
        )
    }
}
