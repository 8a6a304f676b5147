import Foundation

/// The built `promise-simulate` beside the test bundle. Stories are lived only there: a world takes over all tasks of its
/// process.
enum Simulator {
    /// The root of the repository.
    static let repository: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { break }
        }
        return folder
    }()

    private static let program: URL = {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let program = beside.appending(path: "promise-simulate")
        if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        return repository.appending(path: ".build/debug/promise-simulate")
    }()

    /// Runs the program to its end. Returns its exit code and all that it printed.
    static func run(_ arguments: String...) async throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let data = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// The stories that are kept, by name.
    static func keptStories() throws -> [URL] {
        let folder = repository.appending(path: "Tests/PromisedWorldTests/Stories")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }
}
