import Foundation
import Testing

/// Archives, opened by other programs.
@Suite(.tags(.realTime))
struct ZIPToolTests {
    @Test(.enabled(if: ZIPToolTests.isInstalled("/usr/bin/unzip"), "unzip is absent"))
    func `unzip accepts an archive`() throws {
        #expect(try Self.status(of: "/usr/bin/unzip", ["-tqq"]) == 0)
    }

    @Test(.enabled(if: ZIPToolTests.isInstalled("/usr/bin/python3"), "Python is absent"))
    func `Python accepts an archive`() throws {
        #expect(try Self.status(of: "/usr/bin/python3", ["-m", "zipfile", "-t"]) == 0)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: program)
    }

    /// The exit code of a program that gets the path of an archive as its last argument.
    private static func status(of program: String, _ arguments: [String]) throws -> Int32 {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).zip")
        try Data(ZIPSample.archive()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments + [file.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
