package import Foundation

/// A program of this package, as built beside the tests.
package struct BuiltProgram: Sendable {
    /// The root of the repository.
    package static let repository: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { break }
        }
        return folder
    }()

    package let url: URL
    private let environment: [String: String]

    /// Creates a program by its name.
    ///
    /// - Parameter environment: its variables besides those of the tests.
    package init(_ name: String, environment: [String: String] = [:]) {
        self.environment = environment
        // The tests run from their bundle, which is beside the programs, or from the runner of the toolchain.
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        let isBeside = FileManager.default.isExecutableFile(atPath: beside.path)
        url = isBeside ? beside : BuiltProgram.repository.appending(path: ".build/debug/\(name)")
    }

    /// Runs the program to its end.
    ///
    /// - Returns: its exit code, and its whole output, errors included.
    /// - Throws: an error of Foundation if it cannot be started.
    package func run(_ arguments: String...) async throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
}
