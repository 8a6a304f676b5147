package import PromisedDomain
package import PromisedJournal
package import PromisedPlaces

/// The folder of a new course.
package struct FolderChoice: Hashable, Sendable {
    /// nil: the user's last changed folder.
    package var folderID: FolderID?
    /// The id for a new folder, if the user has none.
    package var newID: FolderID
    /// The language of a new folder's title.
    package var language: BilingualName.Language

    package init(_ folderID: FolderID? = nil, newID: FolderID, language: BilingualName.Language) {
        self.folderID = folderID
        self.newID = newID
        self.language = language
    }
}

/// A course to be stored, with its id.
package struct NewCourse: Hashable, Sendable {
    package var draft: CourseDraft
    package var id: CourseID

    package init(_ draft: CourseDraft, id: CourseID) {
        self.draft = draft
        self.id = id
    }
}
