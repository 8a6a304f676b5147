package import PromisedDomain

/// The folder of a new course.
package struct FolderChoice: Hashable, Sendable {
    /// The folder; nil for the user's last changed one.
    package var folderID: FolderID?
    /// The id of a new folder, for a user without one.
    package var newID: FolderID
    /// The language of a new folder's title.
    package var language: BilingualName.Language

    /// A choice.
    package init(_ folderID: FolderID? = nil, newID: FolderID, language: BilingualName.Language) {
        self.folderID = folderID
        self.newID = newID
        self.language = language
    }
}

/// A course that is about to be kept, with its id.
package struct NewCourse: Hashable, Sendable {
    /// The course.
    package var draft: CourseDraft
    /// Its id.
    package var id: CourseID

    /// A course under an id.
    package init(_ draft: CourseDraft, id: CourseID) {
        self.draft = draft
        self.id = id
    }
}
