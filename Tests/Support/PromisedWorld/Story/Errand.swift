/// An act of a person on their data: places, visits, courses and files. People, phones, promises, places, uploads and
/// recordings are identified by their numbers in the story; visits and courses by their order among those of their
/// user.
package enum Errand: Hashable, Sendable, Codable {
    // MARK: Places
    /// A person reads a place of the directory, with its opening hours.
    case lookUp(by: Int, place: Int)
    /// A person adds a place of the directory, or one of their own, to their favourites.
    case favour(by: Int, place: Int?)
    /// A person removes their first favourite.
    case unfavour(by: Int)
    /// The owner moves a promise to a place of the directory.
    case relocate(promise: Int, by: Int, place: Int)
    /// The operator renames a place and changes its hours.
    case alter(place: Int, closes: Bool)
    /// The operator removes a place from the directory.
    case remove(place: Int)
    /// The operator imports the directory's places except one, and this number of new ones; a replacement removes the
    /// missing one.
    case load(count: Int, without: Int, replaces: Bool)

    // MARK: Visits
    /// A person records a visit by hand, with the picture of an upload if it has arrived.
    case note(visit: Int, by: Int, place: Int?, picture: Int?)
    /// A person changes the audience and the texts of a visit.
    case edit(by: Int, order: Int, audience: Watchers)
    case discard(by: Int, order: Int)

    // MARK: Courses
    /// A person stores their own way of a promise.
    case keepWay(promise: Int, by: Int)
    /// A phone records a way: some points every ten seconds, this many times, then it finishes or stops silently.
    case record(phone: Int, recording: Int, batches: Int, finishes: Bool)
    /// A phone finishes a recording, possibly again.
    case finish(phone: Int, recording: Int)
    /// A phone discards a recording.
    case drop(phone: Int, recording: Int)
    case share(by: Int, order: Int, audience: Watchers, person: Int)
    case delete(by: Int, order: Int)
    /// A person copies a course of another, or of their own.
    case copy(by: Int, person: Int, order: Int)
    /// The owner attaches one of their courses to a promise.
    case carry(promise: Int, by: Int, order: Int)

    // MARK: Files
    /// A phone uploads a file, or resumes it. A lying phone announces another file's digest.
    case upload(phone: Int, file: Int, bytes: Int, isPicture: Bool, lies: Bool)

    // MARK: Others
    /// A person requests the weather of a promise.
    case outlook(promise: Int, by: Int)
    /// A person switches all notifications off, or on again.
    case mute(by: Int, on: Bool)
    /// A person reads their notifications.
    case inbox(by: Int)
    /// A person requests the archive of their data, and reads it if it is ready.
    case export(by: Int)
    /// A person requests every visit, course and file of another by its id.
    case peek(by: Int, person: Int)

    /// The people who may see a visit or a course.
    package enum Watchers: String, Hashable, Sendable, Codable, CaseIterable {
        case nobody, companions, friends, chosen
    }
}
