internal import Foundation
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol

/// Checks the archives of users' data: each contains all items that the user had while it was made, no deleted ones,
/// and of others only their cards.
struct ExportWatch: Sendable {
    /// The items of an archive, ready or in progress.
    struct Content: Hashable, Sendable {
        var visits: Set<VisitID>
        var courses: Set<CourseID>
        var favourites: Set<FavouriteID>

        /// Creates the content from all items of a user.
        init(of userID: UserID, in owned: OwnedRows) {
            visits = Set(owned.visits.filter { $0.value.userID == userID }.keys)
            courses = Set(owned.courses.filter { $0.value.userID == userID }.keys)
            favourites = Set(owned.favourites.filter { $0.value == userID }.keys)
        }

        /// Creates the content from all items of an archive.
        init(_ archive: Archive) {
            visits = archive.ids("visits.json", "visitId")
            courses = archive.ids("courses.json", "courseId")
            favourites = archive.ids("favourites.json", "favouriteId")
        }
    }

    private let people: Int
    private let bytes: @Sendable (FileID) -> [UInt8]?
    /// The items that users have had since their request for an export.
    private var growing: [UserID: Content] = [:]
    private var ready: [FileID: Content] = [:]
    private var owners: [FileID: UserID] = [:]

    /// Creates a watch without archives.
    ///
    /// - Parameters:
    ///   - people: the number of people in the story.
    ///   - bytes: returns the bytes of a file.
    init(people: Int, bytes: @escaping @Sendable (FileID) -> [UInt8]?) { (self.people, self.bytes) = (people, bytes) }

    /// Checks the new rows.
    ///
    /// - Throws: an archive that lacks an item, or contains a wrong one.
    mutating func noteCommit(_ before: CommittedRows, _ committed: CommittedRows) throws(Violation) {
        let owned = committed.owned
        guard before.owned != owned else { return }
        for (userID, export) in owned.exports.sorted(by: { $0.key < $1.key }) {
            guard !committed.deleted.contains(userID) else {
                throw Violation(.erased, "a deleted account has an archive")
            }
            let now = Content(of: userID, in: owned)
            guard export.isReady else {
                growing[userID] = growing[userID].map { $0.intersection(now) } ?? now
                continue
            }
            guard let file = export.fileID else { continue }
            if ready[file] == nil {
                guard let archive = bytes(file).flatMap(Archive.init) else {
                    throw Violation(.kept, "an archive is ready that is none")
                }
                if let token = archive.stray(for: userID, people: people) {
                    throw Violation(.privacy, "an archive of \(userID.low & 0xFF) tells of \(token)")
                }
                let content = Content(archive)
                // An item that existed at the beginning and exists now existed throughout.
                guard (growing[userID]?.intersection(now) ?? now).isSubset(of: content) else {
                    throw Violation(.kept, "an archive lacks something")
                }
                (ready[file], owners[file]) = (content, userID)
            }
            guard let content = ready[file], content.visits.isSubset(of: now.visits),
                content.courses.isSubset(of: now.courses)
            else { throw Violation(.erased, "an archive holds what is deleted") }
        }
        growing = growing.filter { owned.exports[$0.key]?.isReady == false }
    }
}

extension ExportWatch {
    /// - Throws: a part of a file read with other bytes, or of an archive of another user.
    func check(_ chunk: WireFileChunk, to userID: UserID) throws(Violation) {
        let file: FileID = chunk.fileID.id()
        if let owner = owners[file], owner != userID {
            throw Violation(.privacy, "an archive of somebody else is read")
        }
        // It may have been deleted since.
        guard let bytes = bytes(file) else { return }
        let (start, end) = (Int(chunk.offset), Int(chunk.offset) + chunk.data.count)
        guard end <= bytes.count, bytes[start..<end].elementsEqual(chunk.data) else {
            throw Violation(.quota, "a file is read with other bytes")
        }
    }
}

extension ExportWatch.Content {
    func intersection(_ other: Self) -> Self {
        var common = self
        common.visits.formIntersection(other.visits)
        common.courses.formIntersection(other.courses)
        common.favourites.formIntersection(other.favourites)
        return common
    }

    func isSubset(of other: Self) -> Bool {
        visits.isSubset(of: other.visits) && courses.isSubset(of: other.courses)
            && favourites.isSubset(of: other.favourites)
    }
}
