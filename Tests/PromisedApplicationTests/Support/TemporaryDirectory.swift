import Foundation

/// A directory of one test, removed with this object.
final class TemporaryDirectory: Sendable {
    /// Its path; not created yet.
    let path = FileManager.default.temporaryDirectory.appending(path: "promised-application-\(UUID())").path

    deinit {
        // A test that never created it has nothing to remove.
        try? FileManager.default.removeItem(atPath: path)
    }
}
