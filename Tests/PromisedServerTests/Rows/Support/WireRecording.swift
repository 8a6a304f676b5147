import Foundation

/// The recordings of PromisedWire's tests.
enum WireRecording {
    /// The text of a recorded file.
    static func text(_ name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// The names of the recorded files in a folder.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(folder).path)
    }

    private static func file(_ name: String) -> URL {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return tests.appending(path: "PromisedWireTests/Golden/\(name)")
    }
}
