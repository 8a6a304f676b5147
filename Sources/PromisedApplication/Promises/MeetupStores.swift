package import PromisedStore

/// A store with all that the use cases about promises read and write.
package typealias HasMeetups =
    HasAccounts & HasAdministration & HasCourses & HasFriendships
    & HasPlaces & HasPromises & HasSessions & HasWeather

/// The parts of a store that the use cases about promises share.
package struct MeetupStores: HasMeetups {
    package let accounts: AccountStore
    package let administration: AdministrationStore
    package let courses: CourseStore
    package let friendships: FriendshipStore
    package let places: PlaceStore
    package let promises: PromiseStore
    package let sessions: SessionStore
    package let weather: WeatherStore

    init(_ store: some HasMeetups) {
        accounts = store.accounts
        administration = store.administration
        courses = store.courses
        friendships = store.friendships
        places = store.places
        promises = store.promises
        sessions = store.sessions
        weather = store.weather
    }
}
