package import PromisedDomain
package import PromisedPlaces

package typealias FolderID = ID<Folder>

/// A folder of a user's courses.
package struct Folder: Hashable, Sendable {
    package let id: FolderID
    /// The owner.
    package let userID: UserID
    /// 1–60 characters, unique among the user's folders ignoring case.
    package internal(set) var title: String
    /// One character, or empty.
    package internal(set) var emoji: String
    /// Rises by one with each change of title or emoji, from 1.
    package internal(set) var version: Int
    /// When it or one of its courses was last changed.
    package var changedAt: Instant

    /// Creates a folder from stored fields, without validation.
    package init(
        id: FolderID,
        userID: UserID,
        title: String,
        emoji: String = "",
        version: Int = 1,
        changedAt: Instant
    ) {
        self.id = id
        self.userID = userID
        self.title = title
        self.emoji = emoji
        self.version = version
        self.changedAt = changedAt
    }

    /// A new folder of a user.
    ///
    /// - Parameters:
    ///   - title: the title that the user chose; nil for the first free one of a language.
    ///   - others: the titles of the user's folders.
    /// - Throws: `invalid` with the field, `folderTitleTaken`, `folderLimit`.
    package init(
        id: FolderID,
        of userID: UserID,
        title: String?,
        emoji: String = "",
        language: BilingualName.Language,
        among others: [String],
        at now: Instant
    ) throws(Refusal) {
        let titles = FolderTitles(others)
        self.init(
            id: id,
            userID: userID,
            title: title ?? titles.untitled(in: language),
            emoji: emoji,
            changedAt: now
        )
        try check()
        guard !titles.isTaken(self.title) else { throw .folderTitleTaken }
        guard others.count < CourseLimits.folders else { throw .folderLimit }
    }

    /// Changes title and emoji. The version rises by one if anything changed.
    ///
    /// - Parameters:
    ///   - version: the version that the change is based on.
    ///   - title: another title; nil leaves it.
    ///   - emoji: another emoji, empty for none; nil leaves it.
    ///   - others: the titles of the user's other folders.
    /// - Throws: `courseStaleVersion`, `invalid` with the field, `folderTitleTaken`.
    package mutating func edit(
        version: Int,
        title: String? = nil,
        emoji: String? = nil,
        among others: [String],
        at now: Instant
    ) throws(Refusal) {
        guard version == self.version else { throw .courseStaleVersion }
        var edited = self
        edited.title = title ?? self.title
        edited.emoji = emoji ?? self.emoji
        try edited.check()
        guard !FolderTitles(others).isTaken(edited.title) else { throw .folderTitleTaken }
        guard edited != self else { return }
        self = edited
        self.version += 1
        changedAt = max(changedAt, now)
    }

    private func check() throws(Refusal) {
        guard CourseLimits.title.contains(title.count) else { throw .invalid(field: "title") }
        guard emoji.count <= 1 else { throw .invalid(field: "emoji") }
    }
}
