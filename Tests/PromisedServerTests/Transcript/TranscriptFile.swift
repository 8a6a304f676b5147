import Foundation
import Testing

/// A recorded text beside these tests. `RECORD_GOLDEN=1` rewrites it; review the difference like code.
enum TranscriptFile {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// Compares `text` with the recorded file, or records it.
    static func expect(_ text: String, matches name: String, _ context: Comment) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("\(text)\n".utf8).write(to: file)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let spoken = "\(text)\n".split(separator: "\n", omittingEmptySubsequences: false)
        for (number, (line, expected)) in zip(spoken, recorded).enumerated() where line != expected {
            Issue.record("\(context): line \(number + 1) of \(name) is now\n\(line)\ninstead of\n\(expected)")
            return
        }
        #expect(spoken.count == recorded.count, "\(context): \(name) has another length; RECORD_GOLDEN=1 rewrites it")
    }
}
