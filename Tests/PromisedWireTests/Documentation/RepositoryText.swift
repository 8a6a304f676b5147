import Foundation
import Testing

/// The texts of these tests' repository.
enum RepositoryText {
    /// The repository's folder. The tests may be built through links to it, so those are followed.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file.
    ///
    /// - Parameter path: from the repository's folder on, such as `docs/protocol.md`.
    static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files below a folder whose names have the extension, sorted by path; without hidden ones.
    static func files(below folder: String, withExtension pathExtension: String) throws -> [URL] {
        let found = FileManager.default.enumerator(
            at: root.appending(path: folder),
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        let files = try #require(found).compactMap { $0 as? URL }.filter { $0.pathExtension == pathExtension }
        try #require(!files.isEmpty, "\(folder) holds no .\(pathExtension) file")
        return files.sorted { $0.path < $1.path }
    }

    /// The paths of all files, sorted; without hidden ones, such as products of builds and tools.
    static func paths() throws -> [String] {
        let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey])
        let entries = try #require(found)
        var paths: [String] = []
        for case let entry as URL in entries {
            let isFolder = try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            let name = entry.lastPathComponent
            if isFolder, name.hasPrefix("."), name != ".ci" { entries.skipDescendants() }
            if !isFolder { paths.append(String(entry.path.dropFirst(root.path.count + 1))) }
        }
        return paths.sorted()
    }

    /// The paths of all Markdown documents, sorted.
    static func documents() throws -> [String] { try paths().filter { $0.hasSuffix(".md") } }

    /// Compares `text` with a file that tests write, or writes it with `RECORD_GOLDEN=1`.
    static func expect(_ text: String, matches path: String) throws {
        if Golden.isRecording { try Data(text.utf8).write(to: root.appending(path: path)) }
        let isCurrent = try text == read(path)
        #expect(isCurrent, "\(path) differs from the schema or the codes; RECORD_GOLDEN=1 rewrites it")
    }
}
