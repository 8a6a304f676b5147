package import PromisedDomain
package import PromisedJournal

/// The visit or course to which a photo belongs.
package enum FileItem: Hashable, Sendable {
    case visit(VisitID)
    case course(CourseID)
}

/// A file as stored, with its item and its times.
package struct KeptFile: Hashable, Sendable {
    package let file: StoredFile
    /// The item to which the file belongs; users who see the item may read the file. Nil without an item.
    package let item: FileItem?
    /// When the upload was completed.
    package let createdAt: Instant
    /// When the file was attached to its item, or when the track was imported; nil before.
    package let usedAt: Instant?
}
