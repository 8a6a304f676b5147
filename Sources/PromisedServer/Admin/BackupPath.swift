internal import Foundation
internal import Glibc
internal import PromisedAccess
internal import PromisedProtocol
internal import PromisedStore

/// Where a backup is asked for, checked: an absolute path at which nothing is yet, in a folder that is there.
///
/// The folder is looked up with all links followed, so that none leads out of `backup.directory`.
struct BackupPath {
    /// The path with its folder's links followed.
    let path: String

    /// Checks a path.
    ///
    /// - Parameter directory: the folder it must be below; nil for anywhere.
    /// - Throws: `request.invalid` for the field `path`, with the reason.
    init(_ text: String, below directory: String?) throws(RequestError) {
        try RequestError.checked { () throws(TextProblem) in
            try TextWeight.check(text, of: "path", longest: TextWeight.name)
        }
        guard text.hasPrefix("/"), text.unicodeScalars.allSatisfy(TextRule.isAllowed) else {
            throw Self.problem("It must be an absolute path.")
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let name = parts.last, !parts.contains(""), !parts.contains("."), !parts.contains("..") else {
            throw Self.problem("It must be the path of a file, without empty parts, \".\" and \"..\".")
        }
        let folder = try Self.resolve("/" + parts.dropLast().joined(separator: "/"))
        if let directory { try Self.require(folder, below: directory) }
        path = (folder == "/" ? "" : folder) + "/" + name
        // Of a link itself, whatever it points to; what has none is not there.
        guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
            throw Self.problem("There is something at this path already.")
        }
    }

    private static func require(_ folder: String, below directory: String) throws(RequestError) {
        let allowed = try resolve(directory)
        guard folder == allowed || folder.hasPrefix(allowed == "/" ? "/" : allowed + "/") else {
            throw problem("It must be below backup.directory.")
        }
    }

    private static func resolve(_ folder: String) throws(RequestError) -> String {
        guard let resolved = realpath(folder, nil) else { throw problem("Its folder cannot be found.") }
        defer { free(resolved) }
        let path = String(cString: resolved)
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw problem("Its folder is no folder.")
        }
        return path
    }

    static func problem(_ message: String) -> RequestError {
        RequestError(.requestInvalid, message: message, field: "path")
    }
}
