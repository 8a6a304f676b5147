package import PromisedDomain

/// The visit or course whose photo a file is.
package enum FileItem: Hashable, Sendable {
    /// A visit.
    case visit(VisitID)
    /// A course.
    case course(CourseID)
}

/// A file as the store has it.
package struct KeptFile: Hashable, Sendable {
    /// The file.
    package let file: StoredFile
    /// The item that it belongs to: those who see the item may read the file. Nil while nothing has it.
    package let item: FileItem?
    /// When its bytes were complete.
    package let createdAt: Instant
    /// Since when the item has it, or when a track was imported; nil before.
    package let usedAt: Instant?
}
