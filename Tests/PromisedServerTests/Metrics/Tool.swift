import Foundation
import Logging

/// A system program that checks a test's output.
struct Tool: Sendable {
    /// The outcome of a run: the exit code and the text of both outputs.
    struct Outcome: Sendable {
        let code: Int32
        let text: String
    }

    private let path: String

    /// The program of that name in the usual folders; nil if it is not installed.
    init?(_ name: String) {
        let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"]
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.path = path
    }

    /// Runs it to its end. Input and output are files, so that neither side can wait for the other.
    func run(_ arguments: [String], input: String = "") throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("promised-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A temporary folder: the system removes it if this fails.
            try? FileManager.default.removeItem(at: folder)
        }
        let (given, told) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try Data(input.utf8).write(to: given)
        try Data().write(to: told)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: given)
        let output = try FileHandle(forWritingTo: told)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus,
            text: String(decoding: try Data(contentsOf: told), as: UTF8.self)
        )
    }
}

extension Logger {
    /// Logs only critical records.
    static let silent: Logger = {
        var log = Logger(label: "server-tests")
        log.logLevel = .critical
        return log
    }()
}
