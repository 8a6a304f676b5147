package import Foundation

/// The folders outside the sources in which tests find files.
package enum RepositoryFolder {
    /// The folder that contains `Package.swift`, found by walking up from this file; nil if the sources are elsewhere.
    package static let root: URL? = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path.count > 1 {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// The recorded ride beside the repository; nil if it is missing.
    package static let ride: URL? = {
        guard let root else { return nil }
        let ride = root.deletingLastPathComponent().appending(path: "shared/tracks/ride-a")
        return FileManager.default.fileExists(atPath: ride.path) ? ride : nil
    }()
}
