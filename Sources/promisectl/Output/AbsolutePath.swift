import Foundation

/// Paths from the command line as others can use them.
enum AbsolutePath {
    /// A path without `.` and `..`; a relative one begins in this process's folder.
    static func of(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
