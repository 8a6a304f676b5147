import Foundation
import Testing

/// The folder of recorded texts beside these tests. `RECORD_GOLDEN=1` rewrites them; review the difference like code.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// Compares `text` with the recorded file, or records it.
    static func expect(
        _ text: String,
        matches name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        if isRecording { try record(text, as: name) }
        let recorded = try read(name)
        #expect(text == recorded, "\(name) differs; RECORD_GOLDEN=1 rewrites it", sourceLocation: sourceLocation)
    }

    /// The recorded text, without the newline at its end.
    static func read(_ name: String) throws -> String {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The names of the recorded files of one subfolder, sorted.
    static func names(in subfolder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path).sorted()
    }

    private static func record(_ text: String, as name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data("\(text)\n".utf8).write(to: file)
    }
}
