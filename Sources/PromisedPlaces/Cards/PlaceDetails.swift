package import PromisedDomain

/// All information about a place for one user.
package struct PlaceDetails: Equatable, Sendable {
    package var card: PlaceCard
    /// The whole place.
    package var place: DirectoryPlace
    /// The opening of seven days from today on, in the place's time zone; nil if the hours are unknown or unreadable.
    package var week: OpeningWeek?
    package var source: CountedSource
    /// The number of the user's visits.
    package var myVisits: Int

    package init(card: PlaceCard, place: DirectoryPlace, week: OpeningWeek?, source: CountedSource, myVisits: Int = 0) {
        self.card = card
        self.place = place
        self.week = week
        self.source = source
        self.myVisits = myVisits
    }
}

/// The opening and the weather of a place at an instant.
package struct PlaceOutlook: Hashable, Sendable {
    package var at: Instant
    /// The state at that instant; unknown for a place outside the directory.
    package var opening: OpeningState
    /// When it opens next after that instant, at a known time; nil if it is open then.
    package var opensAt: Instant?
    /// When it closes; nil if it is not open then.
    package var closesAt: Instant?
    package var weather: WeatherOutlook

    package init(
        at: Instant,
        opening: OpeningState = .unknown,
        opensAt: Instant? = nil,
        closesAt: Instant? = nil,
        weather: WeatherOutlook
    ) {
        self.at = at
        self.opening = opening
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.weather = weather
    }
}

/// The object of an outlook.
package enum OutlookSubject: Hashable, Sendable {
    /// A promise, at its meeting time.
    case promise(PromiseID)
    case place(PlaceID)
}
