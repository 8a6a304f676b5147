internal import Foundation
internal import Glibc

/// A folder that appears under its name complete, or not at all.
///
/// Its content grows in `NAME.partial` beside it. An interrupted run leaves that folder, and the next run replaces it.
struct FolderDraft {
    /// The name that the folder gets.
    let path: String
    /// The folder meanwhile.
    var draftPath: String { path + ".partial" }

    /// Makes an empty draft, mode 0700, in an existing folder.
    init(_ path: String) throws(FileVaultError) {
        self.path = path
        discard()
        guard mkdir(draftPath, 0o700) == 0 else { throw .last }
    }

    /// Gives the folder its name, unless another one with content has it.
    func publish() throws(FileVaultError) {
        guard rename(draftPath, path) == 0 else { throw .last }
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Deletes the draft with its content.
    func discard() {
        // Usually there is none; what cannot be deleted is an error of making it.
        try? FileManager.default.removeItem(atPath: draftPath)
    }
}
