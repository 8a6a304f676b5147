import Foundation
import Testing

/// Files with the recorded contract; `RECORD_GOLDEN=1` rewrites them.
enum Golden {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden")

    /// Expects `text` to equal the file.
    static func expect(_ text: String, matches name: String) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        #expect(text == recorded, "\(name) differs; RECORD_GOLDEN=1 rewrites it")
    }
}
