import Foundation

/// The recordings of PromisedWire's tests.
enum WireRecording {
    /// The text of a recorded file.
    static func text(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(path: "PromisedWireTests/Golden/\(name)")
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
