import Foundation
import Testing

/// The Markdown documents of the repository.
enum Documents {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The documents with commands to paste.
    static let pasted = ["README.md", "docs/operations.md", "docs/promisectl.md", "docs/web.md"]

    /// The paths of all files, sorted; without build products.
    static func all() throws -> [String] {
        let found = FileManager.default.enumerator(
            at: root,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles
        )
        return try #require(found).compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".md") }
            .map { String($0.dropFirst(root.path.count + 1)) }.sorted()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The blocks of commands in a document.
    static func commands(_ path: String) throws -> [Example] {
        Example.all(in: try text(path), of: path).filter(\.isCommands)
    }
}
