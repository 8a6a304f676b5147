import Foundation
import Testing

@testable import PromisedApplication

/// Archives of data, opened by other programs.
@Suite(.tags(.realTime))
struct ExportToolTests {
    @Test(.enabled(if: ExportToolTests.isInstalled("/usr/bin/unzip"), "unzip is absent"))
    func `unzip accepts an archive`() async throws {
        #expect(try await Self.status(of: "/usr/bin/unzip", ["-tqq"]) == 0)
    }

    @Test(.enabled(if: ExportToolTests.isInstalled("/usr/bin/python3"), "Python is absent"))
    func `Python accepts an archive`() async throws {
        #expect(try await Self.status(of: "/usr/bin/python3", ["-m", "zipfile", "-t"]) == 0)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: program)
    }

    /// The exit code of a program that gets the path of an archive as its last argument.
    private static func status(of program: String, _ arguments: [String]) async throws -> Int32 {
        var archive: [UInt8] = []
        try await ExportContentTests.run { archive = try await $0.entries().archive }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).zip")
        try Data(archive).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments + [path.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
