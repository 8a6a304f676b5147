/// An act of a person on what they keep: places, visits, courses and files. People, phones, promises, places, uploads and
/// recordings are named by their numbers in the story; visits and courses by their order among those of their user.
package enum Errand: Hashable, Sendable, Codable {
    // MARK: Places
    /// A person reads about a place of the directory, with its opening hours.
    case lookUp(by: Int, place: Int)
    /// A person keeps a place of the directory, or one of their own, as a favourite.
    case favour(by: Int, place: Int?)
    /// A person drops their first favourite.
    case unfavour(by: Int)
    /// The owner moves a promise to a place of the directory.
    case relocate(promise: Int, by: Int, place: Int)
    /// The operator renames a place and changes its hours.
    case alter(place: Int, closes: Bool)
    /// The operator takes a place out of the directory.
    case remove(place: Int)
    /// The operator imports the places of the directory without one, and this number of new ones; a replacement removes the
    /// one that is missing.
    case load(count: Int, without: Int, replaces: Bool)

    // MARK: Visits
    /// A person records a visit by hand, with the picture of an upload if that has come.
    case note(visit: Int, by: Int, place: Int?, picture: Int?)
    /// A person changes the audience of a visit, and its words.
    case edit(by: Int, order: Int, audience: Watchers)
    case discard(by: Int, order: Int)

    // MARK: Courses
    /// A person keeps their own way of a promise.
    case keepWay(promise: Int, by: Int)
    /// A phone records a way: some points every ten seconds, this many times, then it finishes or stops without a word.
    case record(phone: Int, recording: Int, batches: Int, finishes: Bool)
    /// A phone finishes a recording, perhaps once more.
    case finish(phone: Int, recording: Int)
    /// A phone throws a recording away.
    case drop(phone: Int, recording: Int)
    case share(by: Int, order: Int, audience: Watchers, person: Int)
    case delete(by: Int, order: Int)
    /// A person copies a course of another, or of their own.
    case copy(by: Int, person: Int, order: Int)
    /// The owner attaches a course of theirs to a promise.
    case carry(promise: Int, by: Int, order: Int)

    // MARK: Files
    /// A phone uploads a file, or resumes it. A lying phone announces the digest of another one.
    case upload(phone: Int, file: Int, bytes: Int, isPicture: Bool, lies: Bool)

    // MARK: Others
    /// A person asks for the weather of a promise.
    case outlook(promise: Int, by: Int)
    /// A person switches all notifications off, or on again.
    case mute(by: Int, on: Bool)
    /// A person reads their notifications.
    case inbox(by: Int)
    /// A person asks for the archive of their data, and reads it if it is ready.
    case export(by: Int)
    /// A person asks for every visit, course and file of another by its id.
    case peek(by: Int, person: Int)

    /// The people who may see a visit or a course.
    package enum Watchers: String, Hashable, Sendable, Codable, CaseIterable {
        case nobody, companions, friends, chosen
    }
}
