import Foundation
import PromisedFuzzing
import Testing

/// Starts the built `promise-fuzz`: its worlds take over all tasks of their process.
@Suite(.tags(.realTime)) struct ConversationTests {
    private static let repository: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { break }
        }
        return folder
    }()

    private static let program: URL = {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "promise-fuzz")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        return repository.appending(path: ".build/debug/promise-fuzz")
    }()

    @Test(.timeLimit(.minutes(5)), arguments: FuzzTarget.all.filter(\.needsOwnProcess).map(\.name))
    func `the property of a target holds for its corpus in a process of its own`(name: String) async throws {
        let corpus = Self.repository.appending(path: "Tests/Fuzz/Corpus/\(name).txt")
        let (code, output) = try await Self.run(name, "--corpus", corpus.path)
        #expect(code == 0, "\(output.suffix(4_000))")
        #expect(output.contains("inputs, 0 violations"))
    }

    @Test func `without libFuzzer the program says how to get it`() async throws {
        let (code, output) = try await Self.run("cursors")
        #expect(code == 1)
        #expect(output.contains("scripts/fuzz"))
    }

    private static func run(_ arguments: String...) async throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["SWIFT_DETERMINISTIC_HASHING": "1"]
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
