import Foundation
import PromisedTestSupport

/// The built `promise-simulate` beside the test bundle. Stories run only there: a world takes over all tasks of its
/// process.
enum Simulator {
    static let program = BuiltProgram("promise-simulate")

    /// The stored stories, by name.
    static func keptStories() throws -> [URL] {
        let folder = BuiltProgram.repository.appending(path: "Tests/PromisedWorldTests/Stories")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }
}
