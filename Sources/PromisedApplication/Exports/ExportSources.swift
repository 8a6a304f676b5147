package import PromisedStore

/// A store with all that users get in an export of their data.
package typealias HasExportedData =
    HasAccounts & HasCourses & HasFiles & HasFixes & HasFriendships & HasNotifications
    & HasPlaces & HasPromises & HasRecordings & HasSessions & HasVisits

/// The parts of a store that an export reads.
struct ExportSources: HasExportedData {
    let accounts: AccountStore
    let courses: CourseStore
    let files: FileStore
    let fixes: FixStore
    let friendships: FriendshipStore
    let notifications: NotificationStore
    let places: PlaceStore
    let promises: PromiseStore
    let recordings: RecordingStore
    let sessions: SessionStore
    let visits: VisitStore

    init(_ store: some HasExportedData) {
        accounts = store.accounts
        courses = store.courses
        files = store.files
        fixes = store.fixes
        friendships = store.friendships
        notifications = store.notifications
        places = store.places
        promises = store.promises
        recordings = store.recordings
        sessions = store.sessions
        visits = store.visits
    }
}
