internal import Foundation
internal import Glibc

/// A folder that is published under its name complete, or not at all.
///
/// Its content grows in `NAME.partial` beside it. An interrupted run leaves that folder, and the next run replaces it.
struct FolderDraft {
    /// The final path of the folder.
    let path: String
    /// The path of the folder before ``publish()``.
    var draftPath: String { path + ".partial" }

    /// Creates an empty draft, mode 0700, in an existing folder.
    init(_ path: String) throws(FileStorageError) {
        self.path = path
        discard()
        guard mkdir(draftPath, 0o700) == 0 else { throw .last }
    }

    /// Renames the folder to its final name, unless that name is used by a non-empty folder.
    func publish() throws(FileStorageError) {
        guard rename(draftPath, path) == 0 else { throw .last }
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Deletes the draft with its content.
    func discard() {
        // Usually the folder does not exist; if it cannot be deleted, creating it fails.
        try? FileManager.default.removeItem(atPath: draftPath)
    }
}
