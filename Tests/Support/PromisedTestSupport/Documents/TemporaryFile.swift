internal import Foundation

/// A file that exists for the lifetime of this value.
package final class TemporaryFile: Sendable {
    package let path: String

    /// Writes the text into a new folder.
    package init(_ text: String, name: String = "promised.yaml") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit {
        // Files left in the temporary folder are harmless.
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }
}
