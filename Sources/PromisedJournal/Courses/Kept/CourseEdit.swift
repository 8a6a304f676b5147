package import PromisedDomain

/// Changes to a course, with cleaned texts; nil leaves a value as it is.
package struct CourseEdit: Hashable, Sendable {
    /// The version that the change is based on.
    package var version: Int
    /// Another folder.
    package var folderID: FolderID?
    /// Another title.
    package var title: String?
    /// Another memo; empty removes it.
    package var memo: String?
    /// Another activity.
    package var activity: Activity?
    /// All photos in their order.
    package var photos: [Photo]?
    /// All way-points that the user names, by ``CourseTrack/placing(_:)``; empty restores the server's.
    package var waypoints: [NamedWaypoint]?

    /// An edit based on a version, without changes yet.
    package init(version: Int) { self.version = version }
}

extension Course {
    /// Applies an edit by the owner. The version rises by one if anything changed.
    ///
    /// The caller checks that a new folder is the owner's and that the title is free in it.
    ///
    /// - Throws: `courseStaleVersion`; `invalid` with the field.
    package mutating func apply(_ edit: CourseEdit, at now: Instant) throws(Refusal) {
        guard edit.version == version else { throw .courseStaleVersion }
        var edited = self
        if let folder = edit.folderID { edited.home?.folderID = folder }
        edited.notes.title = edit.title ?? notes.title
        edited.notes.memo = edit.memo ?? notes.memo
        edited.notes.activity = edit.activity ?? notes.activity
        edited.notes.photos = edit.photos ?? notes.photos
        edited.named = edit.waypoints ?? named
        try edited.notes.check()
        try NamedWaypoint.check(edited.named)
        take(edited, at: now)
    }
}
