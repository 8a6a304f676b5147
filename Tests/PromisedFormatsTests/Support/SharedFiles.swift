import Foundation

/// Real files that lie beside the repository, outside of it.
enum SharedFiles {
    /// The folder that contains `Package.swift`, found by walking up from this file.
    static let root: URL? = {
        var folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path.count > 1 {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Markets, bicycle stations, cafés and GPX files; nil if they are absent.
    static let places = folder("shared/places")

    /// Recorded rides; nil if they are absent.
    static let tracks = folder("shared/tracks")

    private static func folder(_ path: String) -> URL? {
        guard let root else { return nil }
        let folder = root.deletingLastPathComponent().appending(path: path)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// The bytes of a file in the folder of places.
    static func bytes(_ name: String) throws -> [UInt8] {
        guard let places else { return [] }
        return [UInt8](try Data(contentsOf: places.appending(path: name)))
    }
}
